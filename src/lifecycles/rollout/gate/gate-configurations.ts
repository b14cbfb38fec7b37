/**
 * What tells an API server to ask the gate.
 *
 * | what                                   | when nobody answers | why                                                     |
 * | -------------------------------------- | ------------------- | ------------------------------------------------------- |
 * | labelled Deployments, changed or not   | Fail                | the gate's promise; only who has opted in is concerned  |
 * | creation of any Deployment             | Ignore              | all of the cluster comes by; the controller labels later |
 * | `deployments/scale`                    | Ignore              | a Scale has no labels (E26), so Fail would stop every   |
 * |                                        |                     | autoscaler of the cluster with us; what slips through   |
 * |                                        |                     | while we are down is put back to 0 by the controller    |
 * | ReplicaSets, `replicasets/scale`       | Ignore              | no label tells those of a gated Deployment from others  |
 * |                                        |                     | before they are made, so Fail would stop scaling and    |
 * |                                        |                     | foreground deletion everywhere with us (E20); what      |
 * |                                        |                     | slips through is reported as GateBypassed               |
 * | DeploymentLifecycles                   | Ignore              | the controller keeps the same rules; a deletion is only |
 * |                                        |                     | warned of, and nothing may stop it                      |
 *
 * Statuses, and deletions of anything else, are never asked about. No `matchConditions`: servers before 1.28 have none, and the
 * label already leads nobody else here.
 */
import type {
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

import { type WebhookClient, webhookTarget } from '../../../controller/admission/webhook-client.ts';
import { GATED } from '../names.ts';

export const GATE_PATHS = {
  mutate: '/mutate-deployments',
  validate: '/validate-deployments',
  scale: '/validate-scale',
  sets: '/validate-replicasets',
  kinds: '/validate-rollouts',
} as const;

/** The name of the webhook that judges ReplicaSets. */
export const SETS_WEBHOOK: string = nameOf('sets');

export interface GateConfigurationsOptions {
  /** Of both configurations: one pair for each installation. */
  readonly name: string;
  readonly client: WebhookClient;
  /** PEM: the authorities that sign our certificate. */
  readonly authority: string;
  /** Absent: all namespaces. */
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
}

export interface GateConfigurations {
  readonly mutating: MutatingWebhookConfiguration;
  readonly validating: ValidatingWebhookConfiguration;
}

export function gateConfigurations(options: GateConfigurationsOptions): GateConfigurations {
  const metadata = { name: options.name, labels: { 'app.kubernetes.io/name': 'lifehook' } };
  const again = { reinvocationPolicy: 'IfNeeded' };
  const { mutate, validate, scale, sets, kinds } = GATE_PATHS;
  const fail = { failurePolicy: 'Fail', timeoutSeconds: FAIL_TIMEOUT_SECONDS };
  const ignore = { failurePolicy: 'Ignore', timeoutSeconds: IGNORE_TIMEOUT_SECONDS };
  return {
    mutating: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata,
      webhooks: [
        // First: what it labels is then asked about as labelled.
        {
          ...webhookOf('create', mutate, options),
          ...ignore,
          ...again,
          ...matching('DoesNotExist'),
          rules: [rule('deployments', 'CREATE')],
        },
        {
          ...webhookOf('gate', mutate, options),
          ...fail,
          ...again,
          ...matching('Exists'),
          rules: [rule('deployments', 'CREATE', 'UPDATE')],
        },
      ],
    },
    validating: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata,
      webhooks: [
        {
          ...webhookOf('gate', validate, options),
          ...fail,
          ...matching('Exists'),
          rules: [rule('deployments', 'CREATE', 'UPDATE')],
        },
        {
          ...webhookOf('scale', scale, options),
          ...ignore,
          rules: [rule('deployments/scale', 'UPDATE')],
        },
        {
          ...webhookOf('sets', sets, options),
          ...ignore,
          rules: [rule('replicasets', 'CREATE', 'UPDATE'), rule('replicasets/scale', 'UPDATE')],
        },
        { ...webhookOf('kinds', kinds, options), ...ignore, rules: [KINDS] },
      ],
    },
  };
}

/** Seconds that an answer may take; it takes milliseconds. */
const FAIL_TIMEOUT_SECONDS = 5;
const IGNORE_TIMEOUT_SECONDS = 2;

/** The published type lacks what a rule is of. */
type Rule = RuleWithOperations & { resources: string[]; scope: 'Namespaced' };

const KINDS: Rule = {
  apiGroups: ['lifehook.dev'],
  apiVersions: ['v1alpha1'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: ['deploymentlifecycles'],
  scope: 'Namespaced',
};

function rule(resource: string, ...operations: string[]): Rule {
  const versions = { apiGroups: ['apps'], apiVersions: ['v1'] };
  return { ...versions, operations, resources: [resource], scope: 'Namespaced' };
}

/** Matched against the old and the new object, so that nobody gets out by taking the label off (E18). */
function matching(operator: 'Exists' | 'DoesNotExist'): { readonly objectSelector: LabelSelector } {
  return { objectSelector: { matchExpressions: [{ key: GATED, operator }] } };
}

function nameOf(webhook: string): string {
  return `${webhook}.rollout.lifehook.dev`;
}

function webhookOf(
  name: string,
  path: string,
  { client, authority, namespaceSelector }: GateConfigurationsOptions,
): ValidatingWebhook {
  return {
    name: nameOf(name),
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: webhookTarget({ client, path, authority }),
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    ...(namespaceSelector === undefined
      ? {}
      : { namespaceSelector: { matchLabels: { ...namespaceSelector.matchLabels } } }),
  };
}
