import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FeatureGates } from '../../../../../../src/model/feature-gates.ts';
import { fieldErrorMessage } from '../../field-error.ts';
import type { ResourceDefinition } from '../../resource-definition.ts';
import { builtinDefinitions } from '../definitions.ts';

const ON: FeatureGates = { PodLifecycleSleepAction: true, PodLifecycleSleepActionAllowZero: true };
const NO_SLEEP: FeatureGates = { ...ON, PodLifecycleSleepAction: false };
const NO_ZERO: FeatureGates = { ...ON, PodLifecycleSleepActionAllowZero: false };
const now = '2026-01-01T00:00:00Z';

const find = (plural: string): ResourceDefinition => {
  const found = builtinDefinitions().find((definition) => definition.plural === plural);
  if (found === undefined) throw new Error(`no ${plural}`);
  return found;
};

const podSpec = (lifecycle: JsonObject | undefined, more: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'c', image: 'x:1', ...(lifecycle === undefined ? {} : { lifecycle }) }],
  ...more,
});

const pod = (lifecycle: JsonObject | undefined, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', namespace: 'default' },
  spec: podSpec(lifecycle, more),
});

const sleepFor = (seconds: number): JsonObject => ({ preStop: { sleep: { seconds } } });

const lifecycleOf = (object: JsonObject): unknown =>
  (object['spec'] as { containers: JsonObject[] }).containers[0]?.['lifecycle'];

const created = (object: JsonObject, gates: FeatureGates, kind = 'pods'): JsonObject =>
  find(kind).prepareForCreate(find(kind).defaults(object), { gates, now });

const updated = (object: JsonObject, old: JsonObject, gates: FeatureGates): JsonObject =>
  find('pods').prepareForUpdate(find('pods').defaults(object), old, { gates, now });

const faults = (object: JsonObject, gates: FeatureGates, old?: JsonObject): string[] =>
  find('pods').validate(find('pods').defaults(object), old, { gates, now }).map(fieldErrorMessage);

describe('the sleep action of a hook, with its feature gate off', () => {
  it('is removed from a new pod, together with a hook that has no other handler (POD-SL13)', () => {
    expect(lifecycleOf(created(pod(sleepFor(5)), NO_SLEEP))).toEqual({});
    expect(lifecycleOf(created(pod(sleepFor(5)), ON))).toEqual(sleepFor(5));
  });

  it('is removed from postStart and from init containers too', () => {
    const lifecycle = {
      postStart: { sleep: { seconds: 1 } },
      preStop: { exec: { command: ['a'] } },
    };
    expect(lifecycleOf(created(pod(lifecycle), NO_SLEEP))).toEqual({ preStop: lifecycle.preStop });
    const init = { name: 'i', image: 'x:1', restartPolicy: 'Always', lifecycle: sleepFor(1) };
    const sidecar = created(pod(undefined, { initContainers: [init] }), NO_SLEEP);
    expect(sidecar).toHaveProperty('spec.initContainers[0].lifecycle', {});
  });

  it('is removed alone when the hook has another handler', () => {
    const both = { preStop: { exec: { command: ['a'] }, sleep: { seconds: 3 } } };
    expect(lifecycleOf(created(pod(both), NO_SLEEP))).toEqual({
      preStop: { exec: { command: ['a'] } },
    });
  });

  it('is removed by the update of a pod without it, and stays in a pod with it (POD-SL13, POD-SL15)', () => {
    const without = created(pod(undefined), NO_SLEEP);
    expect(lifecycleOf(updated(pod(sleepFor(5)), without, NO_SLEEP))).toEqual({});
    const sleeping = created(pod(sleepFor(5)), ON);
    expect(lifecycleOf(updated(pod(sleepFor(5)), sleeping, NO_SLEEP))).toEqual(sleepFor(5));
  });

  it.each(['deployments', 'replicasets', 'statefulsets', 'daemonsets', 'jobs'])(
    'is removed from the template of %s, and stays when the stored one has it',
    (kind) => {
      const definition = find(kind);
      const object = {
        metadata: { name: 'a', uid: 'u' },
        spec: { template: { spec: podSpec(sleepFor(5)) } },
      };
      const path = 'spec.template.spec.containers[0].lifecycle';
      expect(created(object, NO_SLEEP, kind)).toHaveProperty(path, {});
      const stored = created(object, ON, kind);
      expect(stored).toHaveProperty(path, sleepFor(5));
      const kept = definition.prepareForUpdate(stored, stored, { gates: NO_SLEEP, now });
      expect(kept).toHaveProperty(path, sleepFor(5));
    },
  );

  it('is removed from the pod template of a cron job', () => {
    const object = {
      metadata: { name: 'a' },
      spec: { jobTemplate: { spec: { template: { spec: podSpec(sleepFor(5)) } } } },
    };
    expect(created(object, NO_SLEEP, 'cronjobs')).toHaveProperty(
      'spec.jobTemplate.spec.template.spec.containers[0].lifecycle',
      {},
    );
  });
});

describe('the seconds of a sleep action', () => {
  const field = 'spec.containers[0].lifecycle.preStop.sleep';

  it.each([0, 1, 29, 30])(
    'may be %i with a grace period of 30 (POD-SL3, POD-SL4, POD-K27)',
    (seconds) => {
      expect(faults(pod(sleepFor(seconds)), ON)).toEqual([]);
    },
  );

  it.each([-1, 31])('may not be %i with a grace period of 30 (POD-K30)', (seconds) => {
    expect(faults(pod(sleepFor(seconds)), ON)).toEqual([
      `${field}: Invalid value: ${seconds}: must be non-negative and less than terminationGracePeriodSeconds (30)`,
    ]);
  });

  it('are limited by the grace period of the pod', () => {
    expect(faults(pod(sleepFor(6), { terminationGracePeriodSeconds: 6 }), ON)).toEqual([]);
    expect(faults(pod(sleepFor(7), { terminationGracePeriodSeconds: 6 }), ON)).toHaveLength(1);
  });

  it('may not be 0 with the gate for 0 off, except in a pod that has it already (POD-SL4, POD-K29)', () => {
    const message = `${field}: Invalid value: 0: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
    expect(faults(pod(sleepFor(0)), NO_ZERO)).toEqual([message]);
    const old = find('pods').defaults(pod(sleepFor(0)));
    expect(faults(pod(sleepFor(0)), NO_ZERO, old)).toEqual([]);
    const awake = find('pods').defaults(pod(sleepFor(1)));
    expect(faults(pod(sleepFor(0)), NO_ZERO, awake)).toContain(message);
  });

  it('exclude another handler, and a hook needs a handler (POD-K25)', () => {
    const both = { preStop: { exec: { command: ['a'] }, sleep: { seconds: 3 } }, postStart: {} };
    expect(faults(pod(both), ON)).toEqual([
      'spec.containers[0].lifecycle.postStart: Required value: must specify a handler type',
      `${field}: Forbidden: may not specify more than 1 handler type`,
    ]);
  });
});

describe('fields whose gates are off', () => {
  it('are removed from what is new, together with a lifecycle that has nothing else', () => {
    expect(lifecycleOf(created(pod({ stopSignal: 'SIGINT' }), ON))).toBeUndefined();
    const both = { stopSignal: 'SIGINT', ...sleepFor(5) };
    expect(lifecycleOf(created(pod(both), ON))).toEqual(sleepFor(5));
    const template = { spec: podSpec({ stopSignal: 'SIGINT' }) };
    const made = created({ metadata: { name: 'a' }, template }, ON, 'podtemplates');
    expect(lifecycleOf(made['template'] as JsonObject)).toBeUndefined();
  });

  it('are removed in volumes and probes too', () => {
    const volumes = [
      { name: 'v', secret: { secretName: 's', items: [{ key: 'k', path: 'p', user: 1 }] } },
      { name: 'w', emptyDir: { mode: 448 } },
    ];
    const { spec } = created(
      pod(undefined, { volumes, schedulingGroup: { podGroupName: 'g' } }),
      ON,
    );
    expect(spec).toMatchObject({
      volumes: [
        { name: 'v', secret: { secretName: 's', items: [{ key: 'k', path: 'p' }] } },
        { name: 'w', emptyDir: {} },
      ],
    });
    expect(JSON.stringify(spec)).not.toMatch(/user|mode"|schedulingGroup/);
  });

  it('stay in an object that already has one of them', () => {
    const old = pod({ stopSignal: 'SIGINT' });
    const next = pod({ stopSignal: 'SIGTERM' });
    expect(lifecycleOf(updated(next, old, ON))).toEqual({ stopSignal: 'SIGTERM' });
    expect(lifecycleOf(updated(next, pod(undefined), ON))).toBeUndefined();
  });
});

it('stores a sleep without seconds as one of no seconds', () => {
  expect(lifecycleOf(created(pod({ preStop: { sleep: {} } }), ON))).toEqual(sleepFor(0));
});
