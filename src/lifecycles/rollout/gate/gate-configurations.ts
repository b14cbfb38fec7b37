/**
 * What tells an API server to ask the gate.
 *
 * | what                                   | when nobody answers | why                                                     |
 * | -------------------------------------- | ------------------- | ------------------------------------------------------- |
 * | labelled Deployments, changed or not   | Fail                | the gate's promise; only who has opted in is concerned  |
 * | creation of any Deployment             | Ignore              | all of the cluster comes by; the controller labels later |
 * | `deployments/scale`                    | Ignore              | a Scale has no labels (ROLL-E26), so Fail would stop every   |
 * |                                        |                     | autoscaler of the cluster with us; what slips through   |
 * |                                        |                     | while we are down is put back to 0 by the controller    |
 * | ReplicaSets, `replicasets/scale`       | Ignore              | no label tells those of a gated Deployment from others  |
 * |                                        |                     | before they are made, so Fail would stop scaling and    |
 * |                                        |                     | foreground deletion everywhere with us (ROLL-E20); what      |
 * |                                        |                     | slips through is reported as GateBypassed               |
 * | DeploymentLifecycles                   | Ignore              | the controller keeps the same rules; a deletion is only |
 * |                                        |                     | warned of, and nothing may stop it                      |
 * | creation of DeploymentLifecycles, and  | Fail                | nobody could ask later whether the author may make pods |
 * | of HookRuns                            |                     |                                                         |
 * | a changed spec of DeploymentLifecycles | Ignore              | no finalizer waits for us; a spec whose author was not  |
 * |                                        |                     | asked for has no proof, and its hooks are not run       |
 *
 * Statuses, and deletions of anything else, are never asked about. No `matchConditions`: the label already selects only what is gated.
 */
import type {
  MutatingWebhook,
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
  authors: '/authorize-rollouts',
  changes: '/prove-rollouts',
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
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return {
    mutating: {
      apiVersion,
      kind: 'MutatingWebhookConfiguration',
      metadata,
      webhooks: mutatingWebhooks(options),
    },
    validating: {
      apiVersion,
      kind: 'ValidatingWebhookConfiguration',
      metadata,
      webhooks: validatingWebhooks(options),
    },
  };
}

function mutatingWebhooks(options: GateConfigurationsOptions): MutatingWebhook[] {
  const again = { reinvocationPolicy: 'IfNeeded' };
  const { mutate, changes } = GATE_PATHS;
  return [
    // First: what it labels is then asked about as labelled.
    {
      ...webhookOf('create', mutate, options),
      ...IGNORE,
      ...again,
      ...matching('DoesNotExist'),
      rules: [rule('deployments', 'CREATE')],
    },
    {
      ...webhookOf('gate', mutate, options),
      ...FAIL,
      ...again,
      ...matching('Exists'),
      rules: [rule('deployments', 'CREATE', 'UPDATE')],
    },
    {
      ...webhookOf('author', changes, options),
      ...IGNORE,
      ...again,
      rules: [ours(['deploymentlifecycles'], 'UPDATE')],
    },
  ];
}

function validatingWebhooks(options: GateConfigurationsOptions): ValidatingWebhook[] {
  const { validate, scale, sets, kinds, authors } = GATE_PATHS;
  return [
    {
      ...webhookOf('gate', validate, options),
      ...FAIL,
      ...matching('Exists'),
      rules: [rule('deployments', 'CREATE', 'UPDATE')],
    },
    {
      ...webhookOf('scale', scale, options),
      ...IGNORE,
      rules: [rule('deployments/scale', 'UPDATE')],
    },
    {
      ...webhookOf('sets', sets, options),
      ...IGNORE,
      rules: [rule('replicasets', 'CREATE', 'UPDATE'), rule('replicasets/scale', 'UPDATE')],
    },
    {
      ...webhookOf('kinds', kinds, options),
      ...IGNORE,
      rules: [ours(['deploymentlifecycles'], 'CREATE', 'UPDATE', 'DELETE')],
    },
    {
      ...webhookOf('author', authors, options),
      ...FAIL,
      rules: [ours(['deploymentlifecycles', 'hookruns'], 'CREATE')],
    },
  ];
}

/** Seconds that an answer may take; it takes milliseconds. */
const FAIL_TIMEOUT_SECONDS = 5;
const IGNORE_TIMEOUT_SECONDS = 2;
const FAIL = { failurePolicy: 'Fail', timeoutSeconds: FAIL_TIMEOUT_SECONDS };
const IGNORE = { failurePolicy: 'Ignore', timeoutSeconds: IGNORE_TIMEOUT_SECONDS };

/** The published type lacks what a rule is of. */
type Rule = RuleWithOperations & { resources: string[]; scope: 'Namespaced' };

function ours(resources: string[], ...operations: string[]): Rule {
  const versions = { apiGroups: ['lifehook.dev'], apiVersions: ['v1alpha1'] };
  return { ...versions, operations, resources, scope: 'Namespaced' };
}

function rule(resource: string, ...operations: string[]): Rule {
  const versions = { apiGroups: ['apps'], apiVersions: ['v1'] };
  return { ...versions, operations, resources: [resource], scope: 'Namespaced' };
}

/** Matched against the old and the new object, so that nobody gets out by taking the label off (ROLL-E18). */
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
    admissionReviewVersions: ['v1'],
    clientConfig: webhookTarget({ client, path, authority }),
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    ...(namespaceSelector === undefined
      ? {}
      : { namespaceSelector: { matchLabels: { ...namespaceSelector.matchLabels } } }),
  };
}
