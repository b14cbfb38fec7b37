import { describe, expect, test } from 'vitest';

import {
  machineFacts,
  openRollout,
  releasedVersion,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decideResumed, decideStamp } from './decide-stamp.ts';

const atRest = { status: { released: releasedVersion('t1', 4) } };
const overRollout = (number: number): NonNullable<SampleFacts['status']> => ({
  ...atRest.status,
  rollout: openRollout('t1', { number, phase: 'Done', releasedAt: '2026-01-01T00:00:00Z' }),
});
const heldAt = (number: number): SampleFacts => ({
  ...atRest,
  version: 't2',
  annotations: { rollout: String(number), released: '1' },
  spec: { replicas: 0 },
});
const RUNS = { spec: { paused: false } } as const;
const released = (version: string): object => ({
  kind: 'record',
  status: { released: releasedVersion(version, 1) },
});
const NO_COUNT = { 'lifehook.dev/wanted-replicas': null } as const;
const PAUSED_AT_REST = { lifecycle: { gate: 'PausedAtRest' } } as const;

describe('a Deployment without a number', () => {
  test('first records the running template as released', () => {
    expect(decideStamp(machineFacts({ spec: { paused: false } }))).toMatchObject({
      kind: 'record',
      status: { deploymentUID: 'uid-web', released: releasedVersion('t1', 1) },
    });
  });

  test('warns of a bypassed gate if the Deployment is newer than its lifecycle', () => {
    const old = { creationTimestamp: '2020-01-01T00:00:00Z', name: 'web', namespace: 'shop' };
    const after = machineFacts(RUNS);
    const before = machineFacts(RUNS);
    before.deployment.metadata = { ...before.deployment.metadata, ...old };
    expect(decideStamp(after)).toMatchObject({
      emits: { notices: [{ reason: 'GateBypassed' }] },
    });
    expect(decideStamp(before)).toMatchObject({ emits: {} });
  });

  test.each<[string, SampleFacts, object]>([
    [
      'gets the recorded number of its template and the label',
      atRest,
      {
        labelled: true,
        annotations: { ...NO_COUNT, 'lifehook.dev/rollout': '4', 'lifehook.dev/released': '4' },
      },
    ],
    [
      'gets a new number and is paused if its template changed',
      { ...atRest, version: 't2' },
      {
        labelled: true,
        paused: true,
        annotations: { ...NO_COUNT, 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '4' },
      },
    ],
    [
      'is gated again during a rollout',
      {
        version: 't2',
        status: { ...atRest.status, rollout: openRollout('t2', { number: 5, phase: 'Pre' }) },
      },
      {
        labelled: true,
        paused: true,
        annotations: { 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '4' },
      },
    ],
    [
      'keeps the old template as the released one after a rollback',
      {
        version: 't1',
        status: {
          released: releasedVersion('t1', 5),
          rollout: openRollout('t2', { number: 5, phase: 'RolledBack' }),
        },
      },
      {
        labelled: true,
        annotations: { ...NO_COUNT, 'lifehook.dev/rollout': '5', 'lifehook.dev/released': '5' },
      },
    ],
    [
      'gets released number 0 when paused without a ReplicaSet',
      PAUSED_AT_REST,
      {
        paused: true,
        annotations: { ...NO_COUNT, 'lifehook.dev/rollout': '1', 'lifehook.dev/released': '0' },
      },
    ],
  ])('%s', (_, sample, change) => {
    const step = decideStamp(machineFacts(sample));
    expect(step).toMatchObject({ kind: 'changeDeployment' });
    expect(step?.kind === 'changeDeployment' ? step.change : null).toEqual(change);
  });

  test.each<[string, SampleFacts, string | null | undefined]>([
    ['is dropped when its template changed', { ...atRest, version: 't2' }, null],
    ['is dropped when its template is the released one', atRest, null],
    ['is dropped when nothing was ever released', PAUSED_AT_REST, null],
    ['is dropped after a rollout that is over', { version: 't2', status: overRollout(5) }, null],
    [
      'is kept during a rollout, which may hold the replicas',
      {
        version: 't2',
        status: { ...atRest.status, rollout: openRollout('t2', { number: 5, phase: 'Mid' }) },
      },
      undefined,
    ],
    ['is kept while the gate holds the replicas of an older number (ROLL-L5)', heldAt(2), '4'],
    ['is 0 without the label of the gate', { ...heldAt(2), labelled: false }, '0'],
  ])('with a wanted count: it %s', (_, sample, count) => {
    const annotations = { ...sample.annotations, 'wanted-replicas': '4' };
    const step = decideStamp(machineFacts({ ...sample, annotations }));
    const { annotations: stamped = {} } = step?.kind === 'changeDeployment' ? step.change : {};
    expect(stamped).toHaveProperty(['lifehook.dev/rollout']);
    expect(stamped['lifehook.dev/wanted-replicas']).toBe(count);
  });

  test('records a template that changed before the label was set as released', () => {
    const sample = { ...atRest, ...RUNS, version: 't2', labelled: false };
    expect(decideStamp(machineFacts(sample))).toMatchObject({
      kind: 'record',
      status: { released: releasedVersion('t2', 4) },
    });
  });

  test('gates a template that changed before the label was set while it was paused', () => {
    const sets = [versionSet('t1', { replicas: 3 })];
    const sample = { ...atRest, version: 't2', labelled: false, sets };
    expect(decideStamp(machineFacts(sample))).toMatchObject({
      kind: 'changeDeployment',
      change: { paused: true, annotations: { 'lifehook.dev/rollout': '5' } },
    });
  });

  test.each<[string, SampleFacts['sets'], object]>([
    ['the one with pods', [versionSet('t1', { replicas: 3 })], released('t1')],
    ['the newest other one', [versionSet('t1', { replicas: 0 })], released('t1')],
    ['its own one at zero replicas', [versionSet('t2', { replicas: 0 })], released('t2')],
    ['none', [], { change: { paused: true, annotations: { 'lifehook.dev/released': '0' } } }],
  ])(
    'takes a paused template as released only if its ReplicaSet exists: %s',
    (...[, sets, step]) => {
      const sample = { version: 't2', ...(sets === undefined ? {} : { sets }) };
      expect(decideStamp(machineFacts(sample))).toMatchObject(step);
    },
  );

  test('records the template of the ReplicaSet with pods when paused over another template', () => {
    const sets = [
      versionSet('t0', { replicas: 0 }),
      versionSet('t1', { replicas: 3, revision: 2 }),
    ];
    expect(decideStamp(machineFacts({ ...PAUSED_AT_REST, version: 't2', sets }))).toMatchObject({
      kind: 'record',
      status: { released: { ...releasedVersion('t1', 1), revision: '2' } },
    });
  });
});

describe('a released number that the status does not record', () => {
  // `kubectl rollout undo` restores the annotations of the older ReplicaSet, and Lifehook's with them.
  const undone: SampleFacts = { ...atRest, annotations: { rollout: '6', released: '6' } };

  test.each<[string, SampleFacts]>([
    ['the same template without the label', { labelled: false }],
    ['the same template with the label', {}],
    ['another template, which runs already', { labelled: false, version: 't0' }],
    ['after an older rollout', { status: overRollout(5) }],
  ])('is recorded as released: %s', (_, more) => {
    const { version = 't1' } = more;
    expect(decideStamp(machineFacts({ ...undone, ...RUNS, ...more }))).toMatchObject({
      kind: 'record',
      status: { deploymentUID: 'uid-web', released: releasedVersion(version, 6) },
    });
  });

  test('is kept when nothing of it has run yet', () => {
    const step = decideStamp(machineFacts({ ...undone, ...PAUSED_AT_REST }));
    expect(step).toMatchObject({
      change: { annotations: { 'lifehook.dev/rollout': '6', 'lifehook.dev/released': '0' } },
    });
  });

  test('is left alone if the status records it', () => {
    const status = overRollout(6);
    expect(decideStamp(machineFacts({ ...undone, status }))).toBeNull();
  });
});

describe('a Deployment released without a lifecycle whose template changed since', () => {
  const annotations = { rollout: '3', released: '2' };
  const stepOver = (sets: SampleFacts['sets']): object | null =>
    decideStamp(
      machineFacts({ annotations, version: 't2', ...(sets === undefined ? {} : { sets }) }),
    );

  test('records the template of the ReplicaSet with pods as released', () => {
    const sets = [
      versionSet('t0', { replicas: 0, revision: 3 }),
      versionSet('t1', { replicas: 3 }),
    ];
    expect(stepOver(sets)).toMatchObject({ status: { released: releasedVersion('t1', 2) } });
  });

  test('records the newest other ReplicaSet at zero replicas', () => {
    const sets = [
      versionSet('t2', { replicas: 0, revision: 3 }),
      versionSet('t1', { replicas: 0, revision: 2 }),
      versionSet('t0', { replicas: 0, revision: 1 }),
    ];
    expect(stepOver(sets)).toMatchObject({ status: { released: releasedVersion('t1', 2) } });
  });

  test('records nothing without a ReplicaSet', () => {
    expect(stepOver([])).toBeNull();
  });
});

describe('a Deployment that a deleted lifecycle has left paused', () => {
  const left = { annotations: { rollout: '3' }, labelled: false } as const;
  const steps = (sample: SampleFacts): object | null => decideResumed(machineFacts(sample));

  test.each<[string, SampleFacts]>([
    ['was resumed before the next lifecycle', RUNS],
    [
      'has pods, and was paused with another template since',
      { version: 't2', sets: [versionSet('t1', { replicas: 3 })] },
    ],
  ])('is released from the gate if it %s', (_, more) => {
    expect(steps({ ...left, ...more })).toMatchObject({
      kind: 'changeDeployment',
      change: { annotations: { 'lifehook.dev/rollout': null, 'lifehook.dev/released': null } },
      emits: { notices: [{ type: 'Normal', reason: 'Released' }] },
    });
  });

  test.each<[string, SampleFacts]>([
    ['it is still paused', {}],
    ['it is resumed after the label is set', { ...RUNS, labelled: true }],
    [
      'it is resumed after its rollout is opened',
      { ...RUNS, status: { rollout: openRollout('t1', { number: 3, phase: 'Pre' }) } },
    ],
  ])('keeps its number for the hooks of the next lifecycle if %s', (_, more) => {
    expect(steps({ ...left, ...more })).toBeNull();
  });
});

describe('a template that changed without a new number', () => {
  const numbered = { ...atRest, annotations: { rollout: '4', released: '4' } };

  test('is stamped with a warning of a bypassed gate', () => {
    const step = decideStamp(machineFacts({ ...numbered, version: 't2' }));
    expect(step).toMatchObject({
      kind: 'stampDeployment',
      emits: { notices: [{ reason: 'GateBypassed' }] },
    });
  });

  test('is stamped without a warning when paused under PausedAtRest', () => {
    const step = decideStamp(machineFacts({ ...numbered, ...PAUSED_AT_REST, version: 't2' }));
    expect(step).toMatchObject({ kind: 'stampDeployment', emits: {} });
  });

  test('is not stamped if it is the old or new template during Restoring', () => {
    const rollout = openRollout('t2', { number: 5, phase: 'Restoring' });
    const status = { released: releasedVersion('t1', 4), rollout };
    const annotations = { rollout: '5', released: '4' };
    expect(decideStamp(machineFacts({ annotations, status, version: 't1' }))).toBeNull();
    expect(decideStamp(machineFacts({ annotations, status, version: 't2' }))).toBeNull();
    expect(decideStamp(machineFacts({ annotations, status, version: 't3' }))).not.toBeNull();
  });

  test('is not stamped if its number is not opened yet', () => {
    const annotations = { rollout: '5', released: '4' };
    expect(decideStamp(machineFacts({ ...atRest, annotations, version: 't2' }))).toBeNull();
  });
});
