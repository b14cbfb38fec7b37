import { describe, expect, it } from 'vitest';

import { fullLifecycle } from '../../../../test/fixtures/rollout/full-lifecycle.ts';
import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { HOOK_BYTES_MAX } from './limits.ts';
import { validateLifecycle } from './validate.ts';

const full = fullLifecycle as unknown as JsonObject;
const lifecycle = (spec: object): JsonObject => ({
  metadata: { name: 'web' },
  spec: { deploymentName: 'web', ...spec },
});

/** A lifecycle with one hook, as recreate.pre. `hook`: its optional fields. */
const hooked = (execNewPod: object, hook: object = {}): JsonObject =>
  lifecycle({
    recreate: {
      pre: { ...hook, execNewPod: { command: ['x'], containerName: 'web', ...execNewPod } },
    },
  });

const reported = (object: JsonObject, before?: JsonObject): string[] => {
  const { errors, warnings } = validateLifecycle({
    object,
    ...(before === undefined ? {} : { before }),
  });
  return [...errors.map(fieldProblemMessage), ...warnings.map((warning) => `warning: ${warning}`)];
};

const POD = 'spec.recreate.pre.execNewPod';

describe('a DeploymentLifecycle', () => {
  it('may set all fields in both blocks (ROLL-DH1)', () => {
    expect(reported(full)).toEqual([]);
  });

  it('may set one hook alone: failurePolicy is optional (ROLL-DH5)', () => {
    expect(reported(hooked({}))).toEqual([]);
  });

  it('must name a Deployment in its namespace', () => {
    expect(reported({ spec: {} })).toEqual([
      'spec.deploymentName: Required value: The Deployment, in the same namespace. It cannot be changed.',
    ]);
    expect(reported(lifecycle({ ...hookedSpec(), deploymentName: 'apps/web' }))).toEqual([
      `spec.deploymentName: Invalid value: "apps/web": the Deployment must be in the namespace of this object: write the name without a namespace`,
    ]);
  });

  it('must have no mid hook in rollingUpdate (ROLL-C9)', () => {
    const mid = { execNewPod: { containerName: 'web' } };
    expect(reported(lifecycle({ rollingUpdate: { mid }, ...hookedSpec() }))).toEqual([
      'spec.rollingUpdate.mid: Forbidden: old and new pods of a rolling update run side by side, so it has no mid stage: give the Deployment the strategy Recreate and move the hook to recreate.mid, or make it pre',
    ]);
  });

  it('must not set Abort in rollingUpdate.post (ROLL-DH3, ROLL-C9), but may in recreate.post (ROLL-DH4)', () => {
    const post = { failurePolicy: 'Abort', execNewPod: { command: ['x'], containerName: 'web' } };
    expect(reported(lifecycle({ rollingUpdate: { post } }))).toEqual([
      'spec.rollingUpdate.post.failurePolicy: Invalid value: "Abort": when a rolling update is complete the old pods are deleted, and nothing is left to abort: use Retry or Ignore, or the strategy Recreate',
    ]);
    expect(
      reported(lifecycle({ rollingUpdate: { pre: post }, recreate: { post, mid: post } })),
    ).toEqual([]);
  });

  it('must not change its Deployment', () => {
    const moved = lifecycle({ ...hookedSpec(), deploymentName: 'other' });
    expect(reported(moved, hooked({}))).toEqual([
      'spec.deploymentName: Invalid value: "other": the Deployment of a DeploymentLifecycle cannot be changed: delete the DeploymentLifecycle, and create one for the other Deployment',
    ]);
    expect(reported(hooked({ args: ['y'] }), hooked({}))).toEqual([]);
  });

  it('that was invalid before may lose its finalizers, but not change its spec to an invalid one', () => {
    const wrong = hooked({ containerName: 'A' });
    expect(reported({ ...wrong, metadata: { finalizers: [] } }, wrong)).toEqual([]);
    expect(reported(hooked({ containerName: 'B' }), wrong)).toHaveLength(1);
  });

  it('without a hook, or with a hook without a command, gets a warning', () => {
    expect(reported(lifecycle({ recreate: {} }))).toEqual([
      'warning: spec: there is no hook, so nothing is run: write one under rollingUpdate or recreate',
    ]);
    const pre = { execNewPod: { containerName: 'web' } };
    expect(reported(lifecycle({ recreate: { pre } }))).toEqual([
      `warning: ${POD}: without a command the hook runs the command of the container, which must exit by itself`,
    ]);
  });

  it('gets a warning for an unknown field', () => {
    expect(reported(hooked({ volume: ['a'] }))).toEqual([
      `warning: unknown field "${POD}.volume"; did you mean "volumes"?`,
    ]);
  });
});

function hookedSpec(): object {
  return hooked({})['spec'] as object;
}

describe('a hook', () => {
  it.each<[string, object, string]>([
    [
      'an unknown policy (ROLL-DH1)',
      { failurePolicy: 'abort' },
      'failurePolicy: Unsupported value: "abort": supported values: "Abort", "Retry", "Ignore"',
    ],
    [
      'a timeout of 0',
      { timeoutSeconds: 0 },
      'timeoutSeconds: Invalid value: 0: must be a whole number of seconds from 1 to 86400, without quotes or a unit',
    ],
    [
      'a timeout that is a string',
      { timeoutSeconds: '60s' },
      'timeoutSeconds: Invalid value: "60s": must be a whole number of seconds from 1 to 86400, without quotes or a unit',
    ],
  ])('is refused with %s', (_, hook, says) => {
    expect(reported(hooked({}, hook))).toEqual([`spec.recreate.pre.${says}`]);
  });

  it('must have execNewPod, which must name a container (ROLL-DH6)', () => {
    expect(reported(lifecycle({ recreate: { pre: {} } }))).toEqual([
      `${POD}: Required value: Runs a command in a new pod that is made from the template.`,
    ]);
    expect(reported(lifecycle({ recreate: { pre: { execNewPod: {} } } }))).toEqual([
      `${POD}.containerName: Required value: Container of the template from which the pod takes its image and settings.`,
    ]);
  });

  it.each<[string, object, string]>([
    [
      'an empty program',
      { command: [''] },
      'command: Required value: name the program, then each argument as a separate string',
    ],
    ['an empty command', { command: [] }, 'command: Invalid value: []: must have at least 1 items'],
    [
      'a NUL in an argument',
      { args: ['a', 'b\0'] },
      String.raw`args[1]: Invalid value: "b\u0000": must have no NUL character`,
    ],
    [
      'an invalid container name',
      { containerName: 'Web' },
      'containerName: Invalid value: "Web": must be the name of a container: lower-case letters, digits and "-", at most 63 characters, with a letter or digit at both ends',
    ],
    [
      'an invalid volume name',
      { volumes: ['data', 'a/b'] },
      'volumes[1]: Invalid value: "a/b": must be the name of a volume: lower-case letters, digits and "-", at most 63 characters, with a letter or digit at both ends',
    ],
    ['a volume twice', { volumes: ['a', 'a'] }, 'volumes[1]: Duplicate value: "a": write it once'],
    [
      'an invalid variable name',
      { env: [{ name: '1A', value: '' }] },
      'env[0].name: Invalid value: "1A": must have only letters, digits, "_", "-" and ".", and must not begin with a digit or with ".."',
    ],
    [
      'one variable twice',
      { env: [{ name: 'A' }, { name: 'A' }] },
      'env[1].name: Duplicate value: "A": write it once',
    ],
    [
      'a variable of ours',
      { env: [{ name: 'LIFEHOOK_STAGE' }] },
      'env[0].name: Forbidden: names that begin with LIFEHOOK_ are reserved for the variables of the rollout: choose another',
    ],
    [
      'both a value and a source',
      { env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: {} } }] },
      'env[0].value: Forbidden: valueFrom sets the value: remove one of the two',
    ],
    [
      'an empty source',
      { env: [{ name: 'A', valueFrom: {} }] },
      'env[0].valueFrom: Required value: name the source of the value: secretKeyRef, configMapKeyRef, fieldRef or another',
    ],
    [
      'two sources',
      { env: [{ name: 'A', valueFrom: { fieldRef: {}, secretKeyRef: {} } }] },
      'env[0].valueFrom: Invalid value: "fieldRef, secretKeyRef": must be exactly one source: keep one, and remove the others',
    ],
    [
      'a NUL in a value',
      { env: [{ name: 'A', value: '\0' }] },
      String.raw`env[0].value: Invalid value: "\u0000": must have no NUL character`,
    ],
    [
      'a label of ours',
      { labels: { 'lifehook.dev/stage': 'pre' } },
      'labels[lifehook.dev/stage]: Forbidden: keys that begin with lifehook.dev/ are reserved for the controllers: choose another',
    ],
    [
      'the label of ReplicaSets (ROLL-E24)',
      { labels: { 'pod-template-hash': 'x' } },
      'labels[pod-template-hash]: Forbidden: a ReplicaSet would adopt the pod and delete it: remove this label',
    ],
    [
      'an invalid label key',
      { labels: { 'a b': 'c' } },
      'labels: Invalid value: "a b": must be a name of letters, digits, "-", "_" and ".", at most 63 characters, with a letter or digit at both ends, after an optional prefix: a DNS name and "/"',
    ],
    [
      'an invalid key prefix',
      { annotations: { 'A/b/c': '' } },
      'annotations: Invalid value: "A/b/c": must be a name of letters, digits, "-", "_" and ".", at most 63 characters, with a letter or digit at both ends, after an optional prefix: a DNS name and "/"',
    ],
    [
      'two key prefixes',
      { annotations: { 'a/b/c': '' } },
      'annotations: Invalid value: "a/b/c": must be a name of letters, digits, "-", "_" and ".", at most 63 characters, with a letter or digit at both ends, after an optional prefix: a DNS name and "/"',
    ],
    [
      'an invalid label value',
      { labels: { a: 'b c' } },
      'labels[a]: Invalid value: "b c": must be empty, or have only letters, digits, "-", "_" and ".", at most 63 characters, and begin and end with a letter or digit',
    ],
    [
      'an annotation of ours',
      { annotations: { 'lifehook.dev/a': '' } },
      'annotations[lifehook.dev/a]: Forbidden: keys that begin with lifehook.dev/ are reserved for the controllers: choose another',
    ],
    [
      'too many labels',
      { labels: many(65) },
      'labels: Invalid value: 65: must have at most 64 keys',
    ],
    [
      'an invalid service account',
      { overrides: { serviceAccountName: 'a/b' } },
      'overrides.serviceAccountName: Invalid value: "a/b": the service account must be in the namespace of this object: write the name without a namespace',
    ],
    [
      'an invalid node selector',
      { overrides: { nodeSelector: { a: '/' } } },
      'overrides.nodeSelector[a]: Invalid value: "/": must be empty, or have only letters, digits, "-", "_" and ".", at most 63 characters, and begin and end with a letter or digit',
    ],
    [
      'an unknown toleration effect',
      { overrides: { tolerations: [{ effect: 'Never' }] } },
      'overrides.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    [
      'an unnamed pull secret',
      { overrides: { imagePullSecrets: [{}] } },
      'overrides.imagePullSecrets[0].name: Required value: name the Secret',
    ],
    [
      'an envFrom entry without a source',
      { overrides: { envFrom: [{ prefix: 'A' }] } },
      'overrides.envFrom[0]: Required value: name a configMapRef or a secretRef',
    ],
    [
      'an unnamed envFrom source',
      { overrides: { envFrom: [{ configMapRef: {} }] } },
      'overrides.envFrom[0].configMapRef.name: Required value: name the ConfigMap',
    ],
    [
      'a prefix of ours',
      { overrides: { envFrom: [{ prefix: 'LIFEHOOK_', secretRef: { name: 'a' } }] } },
      'overrides.envFrom[0].prefix: Forbidden: names that begin with LIFEHOOK_ are reserved for the variables of the rollout: choose another',
    ],
    [
      'a list for an object',
      { overrides: { affinity: [] } },
      'overrides.affinity: Invalid value: []: must be an object',
    ],
    [
      'too long a grace period',
      { overrides: { terminationGracePeriodSeconds: 86_401 } },
      'overrides.terminationGracePeriodSeconds: Invalid value: 86401: must be a whole number of seconds from 0 to 86400, without quotes or a unit',
    ],
  ])('is refused with %s', (_, pod, says) => {
    expect(reported(hooked(pod))).toEqual([`${POD}.${says}`]);
  });

  it('is at most as large as a HookRun can store', () => {
    const half = 'x'.repeat(HOOK_BYTES_MAX / 2);
    expect(reported(hooked({ args: [half] }))).toEqual([]);
    const [error = ''] = reported(hooked({ args: [half, half] }));
    expect(error).toMatch(
      /^spec\.recreate\.pre: Invalid value: "1\d+ bytes": must have at most 131072 bytes as JSON: put long values into a ConfigMap/,
    );
  });
});

it.each([-1, 101, 1.5, '1'])('refuses %s as podsKept.failed', (failed) => {
  const [error = '', ...more] = reported(lifecycle({ ...hookedSpec(), podsKept: { failed } }));
  expect([error, more]).toEqual([
    expect.stringContaining('spec.podsKept.failed: Invalid value'),
    [],
  ]);
});

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, '']));
}
