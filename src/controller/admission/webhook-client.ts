import type { WebhookClientConfig } from 'kubernetes-types/admissionregistration/v1.js';

/** Either the service in the cluster, or a URL at which the API server reaches us. */
export type WebhookClient =
  | {
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly port: number;
      };
    }
  /** Example: "https://10.0.0.1:9443", without a path. */
  | { readonly url: string };

/** The clientConfig of a webhook configuration. `authority`: a CA certificate in PEM. */
export function webhookTarget({
  client,
  path,
  authority,
}: {
  readonly client: WebhookClient;
  readonly path: string;
  readonly authority: string;
}): WebhookClientConfig {
  const caBundle = btoa(authority);
  if ('url' in client) return { url: `${client.url}${path}`, caBundle };
  return { service: { ...client.service, path }, caBundle };
}
