/**
 * What tells an API server to ask us.
 *
 * failurePolicy is Ignore, and the timeout short. The controllers keep the same rules and end what breaks
 * them with a condition, so nothing wrong runs when we are not asked; a server that waits for us, or
 * refuses without us, would hold up what matters more: the annotation that asks for a thaw, and the
 * removal of a finalizer by whoever cleans up when no controller is left. Deletions, reads and statuses
 * are never asked about.
 */
import type {
  RuleWithOperations,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';

import { type WebhookClient, webhookTarget } from '../../../controller/admission/webhook-client.ts';

export const WEBHOOK_PATH = '/validate';
export const WEBHOOK_NAME = 'snapshot.lifehook.dev';

export interface WebhookConfigurationOptions {
  /** Of the configuration: one for each installation. */
  readonly name: string;
  readonly client: WebhookClient;
  /** PEM: the authority that signed our certificate. */
  readonly authority: string;
  /** Absent: all namespaces. */
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}

/** The published type lacks what a rule is of. */
const RULE: RuleWithOperations & { resources: string[]; scope: 'Namespaced' } = {
  apiGroups: ['lifehook.dev'],
  apiVersions: ['v1alpha1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['executionhooks', 'executionhooktemplates', 'applicationsnapshots'],
  scope: 'Namespaced',
};

/** Seconds that an answer may take; it takes milliseconds. */
const TIMEOUT_SECONDS = 2;

export function webhookConfiguration(
  options: WebhookConfigurationOptions,
): ValidatingWebhookConfiguration {
  const { name, client, authority, namespaceSelector } = options;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name, labels: { 'app.kubernetes.io/name': 'lifehook' } },
    webhooks: [
      {
        name: WEBHOOK_NAME,
        admissionReviewVersions: ['v1', 'v1beta1'],
        clientConfig: webhookTarget({ client, path: WEBHOOK_PATH, authority }),
        failurePolicy: 'Ignore',
        matchPolicy: 'Equivalent',
        ...(namespaceSelector === undefined
          ? {}
          : { namespaceSelector: { matchLabels: { ...namespaceSelector.matchLabels } } }),
        rules: [RULE],
        sideEffects: 'None',
        timeoutSeconds: TIMEOUT_SECONDS,
      },
    ],
  };
}
