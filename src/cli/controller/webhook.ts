/** The validating webhook beside the controllers: its certificates, its server, and what leads to it. */
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { validatingWebhookConfigurations } from '../../kube/resources.ts';
import { admissionService } from '../../controller/admission/admission-service.ts';
import { review } from '../../lifecycles/snapshot/admission/review.ts';
import {
  WEBHOOK_PATH,
  type WebhookClient,
  webhookConfiguration,
} from '../../lifecycles/snapshot/admission/webhook-configuration.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { currentCertificates, type ServerCertificates } from '../../platform/node-certificates.ts';
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import type { ListenAddress } from './listen-address.ts';
import { secretStore } from './secret-store.ts';

export interface WebhookOptions {
  readonly client: KubeClient;
  /** Where the Secret with the certificates is. */
  readonly namespace: string;
  readonly address: ListenAddress;
  /** Of a Service in that namespace; absent: the API server reaches us at the address itself. */
  readonly service: string | undefined;
}

const NAME = 'lifehook-webhook';
const SERVICE_PORT = 443;
const TRIES = 5;

export async function startWebhook(options: WebhookOptions): Promise<HttpServer> {
  const { client, address } = options;
  const certificates = await certificatesFor(options);
  const server = await nodeHttpServer({
    service: admissionService({ [WEBHOOK_PATH]: (request) => review(request, resolveRecipe) }),
    ...certificates,
    ...address,
  });
  const { authority } = certificates;
  const configuration = webhookConfiguration({
    name: NAME,
    client: clientOf(options, server),
    authority,
  });
  const how = { fieldManager: 'lifehook-controller', force: true };
  await client.apply(validatingWebhookConfigurations, configuration, how);
  return server;
}

function clientOf(
  { namespace, service, address }: WebhookOptions,
  server: HttpServer,
): WebhookClient {
  if (service !== undefined) return { service: { namespace, name: service, port: SERVICE_PORT } };
  return { url: `https://${address.host}:${server.port}` };
}

/** Replicas that start together make them together: one is first, and the others read its. */
async function certificatesFor(options: WebhookOptions): Promise<ServerCertificates> {
  const { client, namespace, service, address } = options;
  const store = secretStore(client, { namespace, name: NAME });
  const hosts = service === undefined ? [address.host] : [`${service}.${namespace}.svc`];
  for (let tries = 1; ; tries += 1) {
    try {
      return await currentCertificates({ store, nowMs: Date.now(), hosts });
    } catch (error) {
      if (!isReason(error, 'Conflict') || tries === TRIES) throw error;
    }
  }
}
