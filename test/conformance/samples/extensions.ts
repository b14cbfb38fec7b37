/** Kinds that change the API itself. The sample objects match no request, so they change nothing. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Sample } from '../sample.ts';

const admission = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  namespaced: false,
} as const;

const rule: JsonObject = {
  operations: ['CREATE'],
  apiGroups: ['none.conformance.example.com'],
  apiVersions: ['v1'],
  resources: ['nothings'],
};

const hook: JsonObject = {
  name: 'a.conformance.example.com',
  clientConfig: { url: 'https://127.0.0.1:9/none' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

const over = (more: JsonObject): JsonObject => ({ webhooks: [{ ...hook, ...more }] });

const validating: Sample = {
  ...admission,
  plural: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
  body: { webhooks: [hook] },
  change: over({ timeoutSeconds: 3, failurePolicy: 'Ignore' }),
  wrongType: { webhooks: 'none' },
  invalid: {
    'no side effects': over({ sideEffects: 'Some' }),
    'no review versions': over({ admissionReviewVersions: [] }),
    'a name that is short': over({ name: 'short' }),
    'an unknown policy': over({ failurePolicy: 'Maybe' }),
    'a long timeout': over({ timeoutSeconds: 31 }),
    'a plain address': over({ clientConfig: { url: 'http://127.0.0.1/none' } }),
    'no address': over({ clientConfig: {} }),
    'an unknown operation': over({ rules: [{ ...rule, operations: ['READ'] }] }),
    'two of a name': { webhooks: [hook, hook] },
  },
  immutable: {},
  strategic: {
    'a hook more': { webhooks: [{ ...hook, name: 'b.conformance.example.com' }] },
    'without it': { webhooks: [{ name: 'b.conformance.example.com', $patch: 'delete' }] },
  },
};

const mutating: Sample = {
  ...validating,
  plural: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  invalid: { ...validating.invalid, 'unknown reinvocation': over({ reinvocationPolicy: 'Often' }) },
};

export const extensionSamples: readonly Sample[] = [validating, mutating];
