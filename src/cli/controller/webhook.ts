/**
 * The webhooks of the controllers: one HTTPS server for all lifecycles, its certificates, and the webhook
 * configurations that register it. While the server runs, expiring certificates are replaced without a restart.
 * Configurations that another client changed or deleted are restored.
 */
import { admissionService } from '../../controller/admission/admission-service.ts';
import { askAccess } from '../../controller/admission/ask-access.ts';
import type { WebhookClient } from '../../controller/admission/webhook-client.ts';
import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
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
import type { TcpAddress } from '../../platform/tcp-listener.ts';
import { webhookParts } from '../lifecycle-controllers.ts';
import type { CacheOf, Registration } from '../lifecycle-parts.ts';
import { certificatesIn, decideBySecret, WEBHOOK_NAME, webhookKey } from './secret-store.ts';

export interface WebhookOptions {
  readonly client: KubeClient;
  /** Namespace of the Secret with the certificates. */
  readonly namespace: string;
  readonly address: TcpAddress;
  /** Name of a Service in that namespace; absent: the API server connects to the listen address. */
  readonly service?: string | undefined;
  /** Caches of the same process, which save requests to the API server. */
  readonly cacheOf?: CacheOf | undefined;
  /** Receives the events of answered admission requests. */
  readonly report?: (event: ObservedEvent) => void;
  /** Milliseconds between two checks of certificates and configurations. Absent: a minute. */
  readonly periodMs?: number;
  /** Called with the error of a failed renewal or restore, which is retried. */
  readonly observe?: ((error: unknown) => void) | undefined;
}

export interface Webhook extends Pick<HttpServer, 'url' | 'port' | 'close'> {
  /**
   * True: API servers trust the certificate, because the stored configurations have its CA. If the API server does not
   * answer: the last known value.
   */
  isTrusted(): Promise<boolean>;
}

/**
 * All in milliseconds. An API server waits at most 30 s for an answer, and reconnects when this server closes a
 * connection.
 */
const TIMES = { exchangeMs: 30_000, connectionMs: 600_000, drainMs: 1_000 };
const SERVICE_PORT = 443;
const PERIOD_MS = 60_000;

/** Resolves when the configurations are stored in the API server. */
export async function startWebhook(options: WebhookOptions): Promise<Webhook> {
  const service = await serviceOf(options);
  const shown = await certificatesFor(options);
  const listening = { service, ...shown, ...options.address, times: TIMES };
  const server = await listenAgain(options.client, listening);
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

async function serviceOf({
  client,
  namespace,
  cacheOf,
  report,
}: WebhookOptions): Promise<HttpService> {
  const key = await webhookKey(client, namespace);
  const caches = cacheOf === undefined ? {} : { cacheOf };
  const reporting = report === undefined ? {} : { report };
  const world = { client, key, ask: askAccess(client), ...caches, ...reporting };
  const routes = Object.values(webhookParts).map((part) => Object.entries(part.routes(world)));
  return admissionService(Object.fromEntries(routes.flat()));
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

  /**
   * Runs until the signal aborts. Configurations are written before the certificate is used, so that API servers
   * already trust a new CA.
   */
  async run(signal: CancelSignal): Promise<void> {
    const { periodMs = PERIOD_MS, observe } = this.#options;
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

  /**
   * The CA bundles in the stored configurations; null: a configuration is missing; undefined: the API server does not
   * answer, so the bundles are not known.
   */
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
 * Listens on the given port only. Without a given port it listens on the last one if that is free, so that the
 * configurations stay valid.
 */
async function listenAgain(client: KubeClient, options: HttpServerOptions): Promise<HttpServer> {
  if (options.port !== 0) return nodeHttpServer(options);
  const port = await lastPort(client);
  try {
    return await nodeHttpServer({ ...options, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return nodeHttpServer(options);
  }
}

const HOW = { fieldManager: 'lifehook-controller', force: true };

/**
 * Mutating configurations are written first, because a validating webhook may require a field that a mutating one adds.
 */
async function applyConfigurations(client: KubeClient, to: Registration): Promise<void> {
  const parts = Object.values(webhookParts);
  for (const { mutating } of parts) {
    if (mutating !== undefined)
      await client.apply(mutatingWebhookConfigurations, mutating(to), HOW);
  }
  for (const { validating } of parts) {
    await client.apply(validatingWebhookConfigurations, validating(to), HOW);
  }
}

/** Milliseconds for one read: less than the second that a kubelet gives a probe. */
const TIMEOUT_MS = 900;

/** For each webhook, the CA bundle (PEM) that API servers trust now; null: a configuration is missing. */
async function storedBundles(client: KubeClient): Promise<readonly string[] | null> {
  const options = { timeoutMs: TIMEOUT_MS };
  const reads = Object.values(webhookParts).flatMap(({ name, mutating }) => [
    ...(mutating === undefined
      ? []
      : [client.get(mutatingWebhookConfigurations, { name }, options)]),
    client.get(validatingWebhookConfigurations, { name }, options),
  ]);
  const found = await orNull(Promise.all(reads), 'NotFound');
  const webhooks = found?.flatMap((one) => one.webhooks ?? []);
  return webhooks?.map(({ clientConfig }) => atob(clientConfig.caBundle ?? '')) ?? null;
}

/** The port at which a webhook without a Service was last registered; 0: no port was registered. */
async function lastPort(client: KubeClient): Promise<number> {
  for (const { name } of Object.values(webhookParts)) {
    const found = await getOrNull(client, validatingWebhookConfigurations, { name });
    const url = found?.webhooks?.[0]?.clientConfig.url ?? '';
    if (URL.canParse(url)) return Number(new URL(url).port);
  }
  return 0;
}
