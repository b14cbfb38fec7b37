import { describe, expect, test } from 'vitest';

import {
  ended,
  hookPod,
  running,
  type SampleHookPod,
} from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  asks,
  change,
  drained,
  facts,
  free,
  gated,
  ran,
  released,
  settled,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  machineFacts,
  type ManagedFacts,
  microAgo,
  openRollout,
  versionSet,
  versionTemplate,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';

const TERMINATING = { deletionTimestamp: microAgo(1) };
const NO_MARKS = { 'lifehook.dev/rollout': null, 'lifehook.dev/released': null };
const removed = { kind: 'removeFinalizer' };
const T1 = versionTemplate('t1');

function deleted(sample: ManagedFacts): ManagedFacts {
  const { lifecycle } = sample;
  return {
    ...sample,
    lifecycle: { ...lifecycle, metadata: { ...lifecycle.metadata, ...TERMINATING } },
  };
}

const RELEASE = { lifecycle: { onDelete: 'Release' } } as const;
const AT_REST = { lifecycle: { gate: 'PausedAtRest' } } as const;
const first = { number: 1, phase: 'Held' } as const;

describe('the Deployment of a deleted lifecycle', () => {
  test.each([
    ['while pre runs', facts({ phase: 'Pre' }), { template: T1, paused: false }],
    [
      'while it is drained',
      facts({ phase: 'Mid', annotations: drained, spec: { replicas: 0 } }),
      { template: T1, paused: false, replicas: 3 },
    ],
    [
      'while it is drained and was scaled past the gate (ROLL-L16)',
      facts({ phase: 'Mid', annotations: drained, spec: { replicas: 1 } }),
      { template: T1, paused: false, replicas: 1 },
    ],
    ['when it is held', facts({ phase: 'Held' }), { template: T1, paused: false }],
    [
      'before the new template has a number under PausedAtRest',
      facts({ ...AT_REST, annotations: { rollout: '4', released: '4' } }),
      { template: T1, paused: false },
    ],
    [
      'of a new lifecycle that has recorded nothing',
      machineFacts({
        version: 't2',
        annotations: gated,
        sets: [versionSet('t1', { replicas: 3 })],
      }),
      { template: T1, paused: false },
    ],
  ])(
    'gets the released template in the write that unpauses it (ROLL-D3): %s',
    (_, sample, expected) => {
      expect(decide(deleted(sample))).toMatchObject({
        ...change({ ...expected, labelled: false, annotations: NO_MARKS }),
        emits: { notices: [{ type: 'Warning', reason: 'Restored' }] },
      });
    },
  );

  test('keeps a template that is the released one, with the wanted replicas', () => {
    const sample = { phase: 'Restoring', version: 't1', annotations: drained } as const;
    const step = decide(deleted(facts({ ...sample, spec: { replicas: 0 } })));
    expect(step).toMatchObject(change({ paused: false, replicas: 3, annotations: NO_MARKS }));
    expect(step.kind === 'changeDeployment' && 'template' in step.change).toBe(false);
  });

  test('starts the held template under Release, with a warning that names it (ROLL-D3)', () => {
    const step = decide(deleted(facts({ ...RELEASE, phase: 'Held' })));
    expect(step).toMatchObject({
      ...change({ paused: false, labelled: false, annotations: NO_MARKS }),
      emits: { notices: [{ type: 'Warning', reason: 'Released' }] },
    });
    expect(step.reason).toMatch(/rollout 5 \(template [0-9a-f]{12}, image .*\) starts without/u);
    expect(step.kind === 'changeDeployment' && 'template' in step.change).toBe(false);
  });

  test('stays paused with its next number if nothing was ever released', () => {
    const status = { rollout: openRollout('t1', first) };
    const sample = machineFacts({ annotations: { rollout: '1', released: '0' }, status });
    const step = decide(deleted(sample));
    expect(step).toMatchObject({
      ...change({
        paused: true,
        labelled: false,
        annotations: { 'lifehook.dev/rollout': '2', 'lifehook.dev/released': null },
      }),
      emits: { notices: [{ type: 'Warning', reason: 'LeftPaused' }] },
    });
    expect(step.reason).toContain('kubectl rollout resume deployment/web');
  });

  test('has the condition Failed before the finalizer is removed, if it stays paused', () => {
    const status = { rollout: openRollout('t1', first) };
    const left = { annotations: { rollout: '2' }, labelled: false, status };
    expect(decide(deleted(machineFacts(left)))).toMatchObject({
      kind: 'reportDeployment',
      failure: { reason: 'LifecycleDeleted' },
    });
    const reported = { type: 'Failed', status: 'True', reason: 'LifecycleDeleted' } as const;
    const deploymentStatus = { conditions: [reported] };
    expect(decide(deleted(machineFacts({ ...left, deploymentStatus })))).toMatchObject(removed);
  });

  test('does not get the template that was released of another Deployment of the same name', () => {
    const sample = facts({ annotations: { rollout: '1', released: '0' }, sets: [] });
    sample.lifecycle.status = { released, deploymentUID: 'another' };
    expect(decide(deleted(sample))).toMatchObject(change({ paused: true }));
  });

  test.each([
    ['at rest', facts({ phase: 'Done', annotations: { ...drained, ...free } })],
    ['without a number', machineFacts({ annotations: { 'wanted-replicas': '4' } })],
  ])('keeps its replicas if a wanted count is set while nothing holds them: %s', (_, sample) => {
    const step = decide(deleted(sample));
    expect(step).toMatchObject(change({ annotations: { 'lifehook.dev/wanted-replicas': null } }));
    expect(step.kind === 'changeDeployment' && 'replicas' in step.change).toBe(false);
  });

  test('keeps its replicas if nothing was drained (ROLL-M3)', () => {
    const step = decide(deleted(facts({ phase: 'Pre' })));
    expect(step).toMatchObject(change({ template: T1 }));
    expect(step.kind === 'changeDeployment' && 'replicas' in step.change).toBe(false);
  });

  test.each([
    ['at rest', facts({ phase: 'Done', annotations: free })],
    ['if it was never stamped', machineFacts({ version: 't2' })],
    ['if it was never stamped, under PausedAtRest', machineFacts({ ...AT_REST, version: 't2' })],
  ])('keeps the paused field of the user %s', (_, sample) => {
    const step = decide(deleted(sample));
    expect(step).toMatchObject({
      ...change({ labelled: false }),
      emits: { notices: [{ type: 'Normal', reason: 'Released' }] },
    });
    expect(step.reason).toMatch(/^The DeploymentLifecycle was deleted: no template is held, and /u);
    expect(step.kind === 'changeDeployment' && 'paused' in step.change).toBe(false);
  });

  test('gets its next number if its rollout was opened after the last lifecycle had left it', () => {
    const left = { annotations: { rollout: '2' }, labelled: false };
    const status = { rollout: openRollout('t1', { ...first, number: 2 }) };
    expect(decide(deleted(machineFacts({ ...left, status })))).toMatchObject(
      change({ paused: true, annotations: { 'lifehook.dev/rollout': '3' } }),
    );
    const labelled = { ...left, labelled: true };
    expect(decide(deleted(machineFacts(labelled)))).toMatchObject(change({ labelled: false }));
  });
});

describe('the hooks of a deleted lifecycle', () => {
  test('are settled first, with the reason', () => {
    const { status: _, ...open } = settled('pre', 'Succeeded');
    const message = 'The DeploymentLifecycle was deleted; the hook was not started.';
    expect(decide(deleted(facts({ phase: 'Pre', ...ran(open) })))).toMatchObject({
      ...asks('settleRun'),
      reason: 'the DeploymentLifecycle was deleted',
      step: { settlement: { phase: 'Aborted', reason: 'LifecycleDeleted', message } },
    });
  });

  test('have exited before the Deployment is released (ROLL-DH18)', () => {
    const stepOver = (pod: SampleHookPod): object =>
      decide(
        deleted(facts({ phase: 'Pre', more: { hookPods: [hookPod({ number: 5, ...pod })] } })),
      );
    expect(stepOver(running)).toMatchObject(asks('deletePod'));
    expect(stepOver({ ...running, deleted: 1 })).toMatchObject({ kind: 'waitFor' });
    expect(stepOver({ ...ended(0), held: false })).toMatchObject({
      kind: 'deletePod',
      reason: 'the DeploymentLifecycle was deleted',
    });
  });
});

describe('the finalizer of a deleted lifecycle', () => {
  test('is removed when the Deployment has no mark of ours any more', () => {
    const sample = deleted(facts({ labelled: false, annotations: {} }));
    expect(decide(sample)).toEqual({ ...removed, reason: 'it has no objects any more' });
  });

  test.each([
    [
      'the namespace is terminating',
      { isNamespaceTerminating: true },
      'its namespace is terminating',
    ],
    ['the Deployment is deleted', { deployment: null }, 'it has no objects any more'],
  ])('is removed at once if %s (ROLL-D4)', (...[, more, reason]) => {
    expect(decide({ ...deleted(facts({ phase: 'Held' })), ...more })).toEqual({
      ...removed,
      reason,
    });
  });

  test('of another program holds up the lifecycle after ours is removed', () => {
    const sample = deleted(facts({ phase: 'Held' }));
    sample.lifecycle.metadata = { ...sample.lifecycle.metadata, finalizers: ['other'] };
    expect(decide(sample)).toEqual({ kind: 'wait', reason: 'it is being deleted' });
  });

  test('is removed although an older lifecycle names the same Deployment', () => {
    const rival = deleted(facts({ phase: 'Held' })).lifecycle;
    const step = decide({ ...facts({ phase: 'Held' }), rivals: [rival] });
    expect(step).toMatchObject({ kind: 'removeFinalizer', rival });
  });
});
