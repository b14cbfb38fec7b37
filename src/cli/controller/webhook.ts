/**
 * The webhooks beside the controllers: one HTTPS server for those of all lifecycles, its certificates, and
 * the configurations that lead to it. While it runs, certificates that come to their end are made anew
 * and shown without a restart, and configurations that somebody has changed or removed are put back.
 */
import { askAccess } from '../../controller/admission/ask-access.ts';
import { judgeAuthor } from '../../controller/admission/author.ts';
import { admissionService } from '../../controller/admission/admission-service.ts';
import type { WebhookClient } from '../../controller/admission/webhook-client.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import {
  deployments,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import { isAuthoredWith, proveAuthorWith } from '../../lifecycles/rollout/gate/authored.ts';
import { gateConfigurations } from '../../lifecycles/rollout/gate/gate-configurations.ts';
import { gateRoutes } from '../../lifecycles/rollout/gate/gate-routes.ts';
import { gateLookups } from '../../lifecycles/rollout/gate/lookups.ts';
import { isProvenWith } from '../../lifecycles/rollout/gate/write-proof.ts';
import { deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { PROOF_PERIOD_MS } from '../../lifecycles/rollout/names.ts';
import { authorNeeds } from '../../lifecycles/snapshot/admission/author-needs.ts';
import { review } from '../../lifecycles/snapshot/admission/review.ts';
import {
  AUTHOR_PATH,
  WEBHOOK_PATH,
  webhookConfiguration,
} from '../../lifecycles/snapshot/admission/webhook-configuration.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import type { HttpServer, HttpService } from '../../platform/http-server.ts';
import { currentCertificates, type ServerCertificates } from '../../platform/node-certificates.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { listenAgain } from './listen-again.ts';
import type { ListenAddress } from './listen-address.ts';
import { secretStore } from './secret-store.ts';
import { WEBHOOK_NAME, webhookKey } from './webhook-secret.ts';

export interface WebhookOptions {
  readonly client: KubeClient;
  /** Where the Secret with the certificates is. */
  readonly namespace: string;
  readonly address: ListenAddress;
  /** Of a Service in that namespace; absent: the API server reaches us at the address itself. */
  readonly service?: string | undefined;
  /** Caches that run beside it, or will: what is in them is not asked of the API server. */
  readonly caches?: undefined | { readonly informers: SharedInformers; readonly scope: WatchScope };
  /** Milliseconds between two looks at certificates and configurations. Absent: a minute. */
  readonly periodMs?: number;
  /** What could not be renewed or put back, and is tried again. */
  readonly observe?: ((error: unknown) => void) | undefined;
}

export type Webhook = Pick<HttpServer, 'url' | 'port' | 'close'>;

/** No API server waits longer than 30 s for an answer; it opens another connection when we close one. */
const TIMES = { exchangeMs: 30_000, connectionMs: 600_000, drainMs: 1_000 };
const SERVICE_PORT = 443;
const TRIES = 5;

/** Resolves when the API server has been told of it. */
export async function startWebhook(options: WebhookOptions): Promise<Webhook> {
  const service = await serviceOf(options);
  const shown = await certificatesFor(options);
  const listening = { service, ...shown, ...options.address, times: TIMES };
  const server = await listenAgain(options.client, GATE_NAME, listening);
  const { url, port } = server;
  try {
    await configure(options, port, shown.authority);
  } catch (error) {
    await server.close();
    throw error;
  }
  const stopping = new AbortController();
  const kept = keep(options, { server, shown, signal: stopping.signal });
  const close = async (): Promise<void> => {
    stopping.abort();
    await kept;
    await server.close();
  };
  return { url, port, close };
}

async function serviceOf({ client, namespace, caches }: WebhookOptions): Promise<HttpService> {
  const key = await webhookKey(client, namespace);
  const ask = askAccess(client);
  const informers =
    caches === undefined
      ? {}
      : {
          caches: {
            deployments: caches.informers.of(deployments, { scope: caches.scope }),
            lifecycles: caches.informers.of(deploymentLifecycles, { scope: caches.scope }),
          },
        };
  return admissionService({
    [WEBHOOK_PATH]: (request) => review(request, resolveRecipe),
    [AUTHOR_PATH]: async (request, signal) => {
      const needs = await authorNeeds(request, { client, resolveRecipe }, signal);
      return judgeAuthor({ request, needs, ask }, signal);
    },
    ...gateRoutes({
      isProven: isProvenWith(key),
      lookups: gateLookups({ client, ...informers }),
      authors: { ask, proveAuthor: proveAuthorWith(key), isAuthored: isAuthoredWith(key) },
    }),
  });
}

interface Kept {
  readonly server: HttpServer;
  readonly shown: ServerCertificates;
  readonly signal: AbortSignal;
}

/** Until the signal aborts. The configurations go first: a new authority is trusted before it is shown. */
async function keep(options: WebhookOptions, { server, shown, signal }: Kept): Promise<void> {
  let { certificate } = shown;
  for (;;) {
    await sleep(nodePlatform.timers, options.periodMs ?? PROOF_PERIOD_MS, signal);
    if (signal.aborted) return;
    try {
      const now = await certificatesFor(options);
      await configure(options, server.port, now.authority);
      if (now.certificate !== certificate) server.renew(now);
      ({ certificate } = now);
    } catch (error) {
      options.observe?.(error);
    }
  }
}

async function configure(options: WebhookOptions, port: number, authority: string): Promise<void> {
  const { client } = options;
  const how = { fieldManager: 'lifehook-controller', force: true };
  const to = { client: clientOf(options, port), authority };
  const gate = gateConfigurations({ name: GATE_NAME, ...to });
  // What refuses comes last: nothing is asked for that nobody would stamp.
  await client.apply(mutatingWebhookConfigurations, gate.mutating, how);
  await client.apply(validatingWebhookConfigurations, gate.validating, how);
  const kinds = webhookConfiguration({ name: WEBHOOK_NAME, ...to });
  await client.apply(validatingWebhookConfigurations, kinds, how);
}

const GATE_NAME = 'lifehook-rollout-gate';

function clientOf({ namespace, service, address }: WebhookOptions, port: number): WebhookClient {
  if (service !== undefined) return { service: { namespace, name: service, port: SERVICE_PORT } };
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `https://${host}:${port}` };
}

/** Replicas that start together make them together: one is first, and the others read its. */
async function certificatesFor(options: WebhookOptions): Promise<ServerCertificates> {
  const { client, namespace, service, address } = options;
  const store = secretStore(client, { namespace, name: WEBHOOK_NAME });
  const hosts = service === undefined ? [address.host] : [`${service}.${namespace}.svc`];
  for (let tries = 1; ; tries += 1) {
    try {
      return await currentCertificates({ store, nowMs: Date.now(), hosts });
    } catch (error) {
      if (!isReason(error, 'Conflict') || tries === TRIES) throw error;
    }
  }
}
