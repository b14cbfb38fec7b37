/**
 * What tells an API server to ask us. Two webhooks: the rules, and the author.
 *
 * The failurePolicy of the rules is Ignore, and the timeout short. The controllers keep the same rules and end what breaks
 * them with a condition, so nothing wrong runs when we are not asked; a server that waits for us, or
 * refuses without us, would hold up what matters more: the annotation that asks for a thaw, and the
 * removal of a finalizer by whoever cleans up when no controller is left. Deletions, reads and statuses
 * are never asked about.
 *
 * The failurePolicy of the author's webhook is Fail: what nobody has judged is not stored, since no controller could
 * judge it later. It is asked about creations, and about updates of templates: neither thaws anything nor
 * removes a finalizer. A hook or snapshot whose spec changed after its creation is refused by the controllers.
 */
import type {
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';

import { type WebhookClient, webhookTarget } from '../../../controller/admission/webhook-client.ts';

export const WEBHOOK_PATH = '/validate';
export const WEBHOOK_NAME = 'snapshot.lifehook.dev';
export const AUTHOR_PATH = '/authorize-snapshots';
export const AUTHOR_WEBHOOK_NAME = 'author.snapshot.lifehook.dev';

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
type Rule = RuleWithOperations & { resources: string[]; scope: 'Namespaced' };

const RULES: readonly Rule[] = [
  rule(['CREATE', 'UPDATE'], ['executionhooks', 'executionhooktemplates', 'applicationsnapshots']),
];
const AUTHOR_RULES: readonly Rule[] = [
  rule(['CREATE'], ['executionhooks', 'applicationsnapshots']),
  rule(['CREATE', 'UPDATE'], ['executionhooktemplates']),
];

function rule(operations: string[], resources: string[]): Rule {
  const versions = { apiGroups: ['lifehook.dev'], apiVersions: ['v1alpha1'] };
  return { ...versions, operations, resources, scope: 'Namespaced' };
}

/** Seconds that an answer may take; it takes milliseconds. */
const TIMEOUT_SECONDS = 2;
const AUTHOR_TIMEOUT_SECONDS = 5;

export function webhookConfiguration(
  options: WebhookConfigurationOptions,
): ValidatingWebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: options.name, labels: { 'app.kubernetes.io/name': 'lifehook' } },
    webhooks: [
      {
        ...webhookAt(WEBHOOK_PATH, options),
        name: WEBHOOK_NAME,
        failurePolicy: 'Ignore',
        rules: [...RULES],
        timeoutSeconds: TIMEOUT_SECONDS,
      },
      {
        ...webhookAt(AUTHOR_PATH, options),
        name: AUTHOR_WEBHOOK_NAME,
        failurePolicy: 'Fail',
        rules: [...AUTHOR_RULES],
        timeoutSeconds: AUTHOR_TIMEOUT_SECONDS,
      },
    ],
  };
}

function webhookAt(
  path: string,
  { client, authority, namespaceSelector }: WebhookConfigurationOptions,
): Omit<ValidatingWebhook, 'name'> {
  return {
    admissionReviewVersions: ['v1'],
    clientConfig: webhookTarget({ client, path, authority }),
    matchPolicy: 'Equivalent',
    ...(namespaceSelector === undefined
      ? {}
      : { namespaceSelector: { matchLabels: { ...namespaceSelector.matchLabels } } }),
    sideEffects: 'None',
  };
}
