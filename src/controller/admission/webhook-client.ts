import type {
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { GROUP, VERSION } from '../../model/api-version.ts';

/** Either the service in the cluster, or a URL at which the API server reaches us. */
export type WebhookClient =
  | {
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly port: number;
      };
    }
  /** The URL of this server, without a path: "https://10.0.0.1:9443". */
  | { readonly url: string };

/** The clientConfig of a webhook configuration. `authority`: one or more CA certificates in PEM. */
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

export interface WebhookConfigurationOptions {
  /** The name of the configurations, unique for each installation. */
  readonly name: string;
  readonly client: WebhookClient;
  /** The certificate authorities of our certificate, in PEM. */
  readonly authority: string;
  /** Selects the namespaces in which the webhook is called. Absent: all namespaces. */
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}

export function configurationParts({ name }: WebhookConfigurationOptions): {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly metadata: ObjectMeta;
} {
  const metadata = { name, labels: { 'app.kubernetes.io/name': 'lifehook' } };
  return { apiVersion: 'admissionregistration.k8s.io/v1', metadata };
}

/** The configuration of a webhook at one of our paths, to which the caller adds a name. */
export function webhookAt(
  path: string,
  { client, authority, namespaceSelector }: WebhookConfigurationOptions,
): Omit<ValidatingWebhook, 'name'> {
  return {
    admissionReviewVersions: ['v1'],
    clientConfig: webhookTarget({ client, path, authority }),
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    ...(namespaceSelector === undefined
      ? {}
      : { namespaceSelector: { matchLabels: { ...namespaceSelector.matchLabels } } }),
  };
}

/** A rule of a webhook. The published type lacks `resources` and `scope`. */
export type WebhookRule = RuleWithOperations & { resources: string[]; scope: 'Namespaced' };

/** A rule for these resources of our own API group. */
export function ourRule(resources: string[], ...operations: string[]): WebhookRule {
  const versions = { apiGroups: [GROUP], apiVersions: [VERSION] };
  return { ...versions, operations, resources, scope: 'Namespaced' };
}
