/**
 * The webhooks of the controllers: one HTTPS server for those of all lifecycles, its certificates, and the
 * configurations that register it. While it runs, expiring certificates are replaced without a restart, and
 * configurations that another client has changed or deleted are restored.
 */
import { admissionService } from '../../controller/admission/admission-service.ts';
import { askAccess } from '../../controller/admission/ask-access.ts';
import { judgeAuthor } from '../../controller/admission/author.ts';
import type { WebhookClient } from '../../controller/admission/webhook-client.ts';
import type { SharedInformers, WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { deployments, mutatingWebhookConfigurations } from '../../kube/resources.ts';
import { isAuthoredWith, proveAuthorWith } from '../../lifecycles/rollout/gate/authored.ts';
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
} from '../../lifecycles/snapshot/admission/webhook-configuration.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import type { HttpServer, HttpService } from '../../platform/http-server.ts';
import { LinkedSignal } from '../../platform/linked-signal.ts';
import {
  currentCertificates,
  isSignedBy,
  type ServerCertificates,
} from '../../platform/node-certificates.ts';
import { type HttpServerOptions, nodeHttpServer } from '../../platform/node-http-server.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { sleep } from '../../platform/sleep.ts';
import type { ListenAddress } from './listen-address.ts';
import { certificatesIn, decideBySecret } from './secret-store.ts';
import { applyConfigurations, GATE_NAME, storedBundles } from './webhook-configurations.ts';
import { WEBHOOK_NAME, webhookKey } from './webhook-secret.ts';

export interface WebhookOptions {
  readonly client: KubeClient;
  /** Namespace of the Secret with the certificates. */
  readonly namespace: string;
  readonly address: ListenAddress;
  /** Name of a Service in that namespace; absent: the API server connects to the address itself. */
  readonly service?: string | undefined;
  /** Caches of the same process: their content is not requested from the API server. */
  readonly caches?: undefined | { readonly informers: SharedInformers; readonly scope: WatchScope };
  /** Milliseconds between two checks of certificates and configurations. Absent: a minute. */
  readonly periodMs?: number;
  /** Called with a failed renewal or restore, which is retried. */
  readonly observe?: ((error: unknown) => void) | undefined;
}

export interface Webhook extends Pick<HttpServer, 'url' | 'port' | 'close'> {
  /** True: API servers trust it by the stored configurations; while they do not answer, the last known value. */
  isTrusted(): Promise<boolean>;
}

/** Milliseconds. An API server waits at most 30 s for an answer; it reconnects when the server closes a connection. */
const TIMES = { exchangeMs: 30_000, connectionMs: 600_000, drainMs: 1_000 };
const SERVICE_PORT = 443;

/** Resolves when the configurations are stored in the API server. */
export async function startWebhook(options: WebhookOptions): Promise<Webhook> {
  const service = await serviceOf(options);
  const shown = await certificatesFor(options);
  const listening = { service, ...shown, ...options.address, times: TIMES };
  const server = await listenAgain(options.client, GATE_NAME, listening);
  const kept = new KeptWebhook(options, server, shown);
  try {
    await kept.configure(shown);
  } catch (error) {
    await server.close();
    throw error;
  }
  const stopping = new LinkedSignal();
  const keeping = kept.run(stopping);
  const { url, port } = server;
  return {
    url,
    port,
    isTrusted: () => kept.isTrusted(),
    close: async () => {
      stopping.abort();
      await keeping;
      await server.close();
    },
  };
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

/** The webhook while its server listens. */
class KeptWebhook {
  readonly #options: WebhookOptions;
  readonly #server: HttpServer;
  #certificate: string;
  #wasTrusted = true;
  #pause = new LinkedSignal();

  constructor(options: WebhookOptions, server: HttpServer, { certificate }: ServerCertificates) {
    this.#options = options;
    this.#server = server;
    this.#certificate = certificate;
  }

  configure({ authority }: ServerCertificates): Promise<void> {
    const { client } = this.#options;
    return applyConfigurations(client, {
      client: clientOf(this.#options, this.#server.port),
      authority,
    });
  }

  /** Runs until the signal aborts. Configurations are written first: a new CA is trusted before it is used. */
  async run(signal: CancelSignal): Promise<void> {
    const { periodMs = PROOF_PERIOD_MS, observe } = this.#options;
    for (;;) {
      this.#pause = new LinkedSignal(signal);
      await sleep(nodePlatform.timers, periodMs, this.#pause);
      this.#pause.release();
      if (signal.aborted) return;
      try {
        const now = await certificatesFor(this.#options);
        await this.configure(now);
        if (now.certificate !== this.#certificate) this.#server.renew(now);
        this.#certificate = now.certificate;
      } catch (error) {
        observe?.(error);
      }
    }
  }

  async isTrusted(): Promise<boolean> {
    const bundles = await this.#storedBundles();
    const believes = (bundle: string): boolean => isSignedBy(this.#certificate, bundle);
    if (bundles !== undefined) this.#wasTrusted = bundles?.every(believes) === true;
    if (!this.#wasTrusted) this.#pause.abort();
    return this.#wasTrusted;
  }

  /** undefined: the API server does not answer, so the stored state is not known. */
  #storedBundles(): Promise<readonly string[] | null | undefined> {
    return storedBundles(this.#options.client).catch(() => undefined);
  }
}

function clientOf({ namespace, service, address }: WebhookOptions, port: number): WebhookClient {
  if (service !== undefined) return { service: { namespace, name: service, port: SERVICE_PORT } };
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `https://${host}:${port}` };
}

function certificatesFor(options: WebhookOptions): Promise<ServerCertificates> {
  const { client, namespace, service, address } = options;
  const hosts = service === undefined ? [address.host] : [`${service}.${namespace}.svc`];
  return decideBySecret(client, { namespace, name: WEBHOOK_NAME }, (data) =>
    currentCertificates({ store: certificatesIn(data), nowMs: Date.now(), hosts }),
  );
}

/**
 * A webhook without a port of its own listens on the last port, so that its configurations stay valid.
 * `configuration`: the one whose address has the last port. With a given port, only on that port.
 */
async function listenAgain(
  client: KubeClient,
  configuration: string,
  options: HttpServerOptions,
): Promise<HttpServer> {
  if (options.port !== 0) return nodeHttpServer(options);
  const port = await lastPort(client, configuration);
  try {
    return await nodeHttpServer({ ...options, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return nodeHttpServer(options);
  }
}

/** 0: there was none. */
async function lastPort(client: KubeClient, name: string): Promise<number> {
  const found = await getOrNull(client, mutatingWebhookConfigurations, { name });
  const url = found?.webhooks?.[0]?.clientConfig.url ?? '';
  return URL.canParse(url) ? Number(new URL(url).port) : 0;
}
