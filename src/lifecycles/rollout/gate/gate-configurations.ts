/**
 * The webhook configurations that make an API server call the gate.
 *
 * | requests                               | failurePolicy | why                                                      |
 * | -------------------------------------- | ------------- | -------------------------------------------------------- |
 * | creation and update of Deployments     | Fail          | no changed template may start without the gate; other    |
 * | with the label GATED                   |               | Deployments are not affected                             |
 * | creation of other Deployments          | Ignore        | concerns the whole cluster; the controller labels later  |
 * | `deployments/scale`                    | Ignore        | a Scale has no labels (ROLL-E26), so Fail would block    |
 * |                                        |               | every autoscaler while the webhook is down; the          |
 * |                                        |               | controller resets a scale admitted meanwhile to 0        |
 * | ReplicaSets, `replicasets/scale`       | Ignore        | no label marks the ReplicaSets of a gated Deployment, so |
 * |                                        |               | Fail would block scaling and foreground deletion         |
 * |                                        |               | everywhere while the webhook is down (ROLL-E20); a       |
 * |                                        |               | write that is admitted meanwhile is reported as          |
 * |                                        |               | GateBypassed                                             |
 * | creation, update and deletion of       | Ignore        | the controller checks the same rules; a deletion only    |
 * | DeploymentLifecycles                   |               | gets a warning, and nothing may block it                 |
 * | creation of DeploymentLifecycles and   | Fail          | the author's right to create pods cannot be checked      |
 * | HookRuns                               |               | later                                                    |
 * | update of DeploymentLifecycles, before | Ignore        | Fail would block the removal of a finalizer while the    |
 * | it is stored                           |               | webhook is down; a changed spec whose author was not     |
 * |                                        |               | checked has no proof, and its hooks do not run           |
 *
 * No other deletion and no write of a status calls the gate. Gated Deployments are selected by their label, and not by
 * `matchConditions`.
 */
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

import {
  configurationParts,
  ourRule,
  webhookAt,
  type WebhookConfigurationOptions,
  type WebhookRule,
} from '../../../controller/admission/webhook-client.ts';
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

export const SETS_WEBHOOK: string = nameOf('sets');

export interface GateConfigurations {
  readonly mutating: MutatingWebhookConfiguration;
  readonly validating: ValidatingWebhookConfiguration;
}

export function gateConfigurations(options: WebhookConfigurationOptions): GateConfigurations {
  const parts = configurationParts(options);
  return {
    mutating: {
      ...parts,
      kind: 'MutatingWebhookConfiguration',
      webhooks: mutatingWebhooks(options),
    },
    validating: {
      ...parts,
      kind: 'ValidatingWebhookConfiguration',
      webhooks: validatingWebhooks(options),
    },
  };
}

function mutatingWebhooks(options: WebhookConfigurationOptions): MutatingWebhook[] {
  const again = { reinvocationPolicy: 'IfNeeded' };
  const { mutate, changes } = GATE_PATHS;
  return [
    // First in the list: it adds the label to a Deployment, so that the next webhook matches the Deployment.
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
      rules: [ourRule(['deploymentlifecycles'], 'UPDATE')],
    },
  ];
}

function validatingWebhooks(options: WebhookConfigurationOptions): ValidatingWebhook[] {
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
      rules: [ourRule(['deploymentlifecycles'], 'CREATE', 'UPDATE', 'DELETE')],
    },
    {
      ...webhookOf('author', authors, options),
      ...FAIL,
      rules: [ourRule(['deploymentlifecycles', 'hookruns'], 'CREATE')],
    },
  ];
}

/** Seconds; timeouts of a call. An answer takes milliseconds. */
const FAIL_TIMEOUT_SECONDS = 5;
const IGNORE_TIMEOUT_SECONDS = 2;
const FAIL = { failurePolicy: 'Fail', timeoutSeconds: FAIL_TIMEOUT_SECONDS };
const IGNORE = { failurePolicy: 'Ignore', timeoutSeconds: IGNORE_TIMEOUT_SECONDS };

function rule(resource: string, ...operations: string[]): WebhookRule {
  const versions = { apiGroups: ['apps'], apiVersions: ['v1'] };
  return { ...versions, operations, resources: [resource], scope: 'Namespaced' };
}

/**
 * The selector of objects with or without the label of the gate. The API server matches the old and the new object, so
 * removing the label does not bypass the gate (ROLL-E18).
 */
function matching(operator: 'Exists' | 'DoesNotExist'): { readonly objectSelector: LabelSelector } {
  return { objectSelector: { matchExpressions: [{ key: GATED, operator }] } };
}

function nameOf(webhook: string): string {
  return `${webhook}.rollout.lifehook.dev`;
}

function webhookOf(
  name: string,
  path: string,
  options: WebhookConfigurationOptions,
): ValidatingWebhook {
  return { name: nameOf(name), ...webhookAt(path, options) };
}
