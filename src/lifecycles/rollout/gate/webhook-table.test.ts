/** Tests which requests an API server sends to the gate, and what it does while the gate does not answer. */
import type {
  RuleWithOperations,
  ValidatingWebhook,
} from 'kubernetes-types/admissionregistration/v1.js';
import { describe, expect, it } from 'vitest';

import { GATED } from '../names.ts';
import type { WebhookConfigurationOptions } from '../../../controller/admission/webhook-client.ts';
import { gateConfigurations } from './gate-configurations.ts';

const OPTIONS: WebhookConfigurationOptions = {
  name: 'gate',
  client: { service: { namespace: 'lifehook', name: 'webhook', port: 443 } },
  authority: 'PEM',
};
type Rule = RuleWithOperations & {
  readonly resources?: readonly string[];
  readonly scope?: string;
};

function ruleText({ operations = [], apiGroups = [], apiVersions = [], ...rule }: Rule): string {
  const { resources = [], scope = '' } = rule;
  return [operations, apiGroups, apiVersions, resources, [scope]]
    .map((part) => part.join('+'))
    .join(' ');
}

/** One webhook as a row: name, path, failure policy, label, rules. */
function row({
  name,
  clientConfig,
  failurePolicy = '',
  objectSelector,
  rules = [],
}: ValidatingWebhook) {
  const [label] = objectSelector?.matchExpressions ?? [];
  const selected = label === undefined ? '' : `${label.key} ${label.operator}`;
  return [
    name,
    clientConfig.service?.path,
    failurePolicy,
    selected,
    rules.map(ruleText).join('; '),
  ];
}

describe('the webhook configurations of the gate', () => {
  it('change labelled Deployments, label new ones, and prove the authors of a changed spec', () => {
    const { mutating } = gateConfigurations(OPTIONS);
    const { webhooks = [], ...head } = mutating;
    expect(head).toEqual({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'gate', labels: { 'app.kubernetes.io/name': 'lifehook' } },
    });
    expect(webhooks.map(row)).toEqual([
      [
        'create.rollout.lifehook.dev',
        '/mutate-deployments',
        'Ignore',
        `${GATED} DoesNotExist`,
        'CREATE apps v1 deployments Namespaced',
      ],
      [
        'gate.rollout.lifehook.dev',
        '/mutate-deployments',
        'Fail',
        `${GATED} Exists`,
        'CREATE+UPDATE apps v1 deployments Namespaced',
      ],
      [
        'author.rollout.lifehook.dev',
        '/prove-rollouts',
        'Ignore',
        '',
        'UPDATE lifehook.dev v1alpha1 deploymentlifecycles Namespaced',
      ],
    ]);
    expect(webhooks.map(({ reinvocationPolicy }) => reinvocationPolicy)).toEqual(
      webhooks.map(() => 'IfNeeded'),
    );
  });

  it('judge Deployments, ReplicaSets, their scales and our kinds (ROLL-E26)', () => {
    const { validating } = gateConfigurations(OPTIONS);
    const { webhooks = [], ...head } = validating;
    expect(head).toEqual({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'gate', labels: { 'app.kubernetes.io/name': 'lifehook' } },
    });
    expect(webhooks.map(row)).toEqual([
      [
        'gate.rollout.lifehook.dev',
        '/validate-deployments',
        'Fail',
        `${GATED} Exists`,
        'CREATE+UPDATE apps v1 deployments Namespaced',
      ],
      [
        'scale.rollout.lifehook.dev',
        '/validate-scale',
        'Ignore',
        '',
        'UPDATE apps v1 deployments/scale Namespaced',
      ],
      [
        'sets.rollout.lifehook.dev',
        '/validate-replicasets',
        'Ignore',
        '',
        'CREATE+UPDATE apps v1 replicasets Namespaced; UPDATE apps v1 replicasets/scale Namespaced',
      ],
      [
        'kinds.rollout.lifehook.dev',
        '/validate-rollouts',
        'Ignore',
        '',
        'CREATE+UPDATE+DELETE lifehook.dev v1alpha1 deploymentlifecycles Namespaced',
      ],
      [
        'author.rollout.lifehook.dev',
        '/authorize-rollouts',
        'Fail',
        '',
        'CREATE lifehook.dev v1alpha1 deploymentlifecycles+hookruns Namespaced',
      ],
    ]);
  });

  it('review each version of a Deployment, without a side effect, in the namespaces of the selector', () => {
    const namespaceSelector = { matchLabels: { tenant: 'a' } };
    const common = {
      admissionReviewVersions: ['v1'],
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
    };
    for (const more of [{}, { namespaceSelector }]) {
      const { mutating, validating } = gateConfigurations({ ...OPTIONS, ...more });
      for (const webhook of [...(mutating.webhooks ?? []), ...(validating.webhooks ?? [])]) {
        expect(webhook).toMatchObject({ ...common, ...more });
        expect('namespaceSelector' in webhook).toBe('namespaceSelector' in more);
      }
    }
  });
});
