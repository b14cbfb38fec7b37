/** The next steps of a restore while its hooks run, at its end, and when it is deleted. */
import { describe, expect, it } from 'vitest';

import { CHANGED_SPEC } from '../../../controller/unchanged-spec.ts';
import type { ActionAttempt } from '../kinds.ts';
import { BEGUN_UID, RESTORE_FINALIZER } from '../names.ts';
import { decide } from './decide.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import type { RestoreHook, RestoreHookStatus, SnapshotRestore } from './kinds.ts';
import type { RestoreStep } from './step.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW_MS - seconds * 1_000).toISOString();
const begun = { startedAt: ago(60), claimsRequestedAt: ago(60), claimsReadyAt: ago(60) };
const hookOf = (name: string, more: Partial<RestoreHook> = {}): RestoreHook => ({
  name,
  pod: { image: 'i' },
  ...more,
});

function decided(
  { spec = {}, status = {}, metadata = {} }: { [K in keyof SnapshotRestore]?: object },
  more: Partial<RestoreFacts> = {},
): RestoreStep {
  return decide({
    restore: {
      metadata: {
        name: 'r',
        uid: 'u',
        finalizers: [RESTORE_FINALIZER],
        annotations: { [BEGUN_UID]: 'u' },
        ...metadata,
      },
      spec: { source: {}, ...spec },
      status: { ...begun, ...status },
    },
    claims: [],
    open: null,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
    ...more,
  });
}

const ran = (
  name: string,
  stage: RestoreHookStatus['stage'],
  attempt: Partial<ActionAttempt>,
): RestoreHookStatus => ({
  name,
  stage,
  attempts: [{ startedAt: ago(30), endedAt: ago(2), reason: 'because', ...attempt }],
});

describe('the hooks of a restore (SNAP-V8)', () => {
  it('run one after the other, each after the success of the one before', () => {
    const postRestore = [hookOf('a'), hookOf('b')];
    const hooks = [ran('a', 'postRestore', { outcome: 'Succeeded' })];
    const next = { kind: 'intend', stage: 'postRestore', hook: postRestore[1], attempt: 1 };
    expect(decided({ spec: { postRestore }, status: { hooks } })).toEqual(next);
    const both = [...hooks, ran('b', 'postRestore', { outcome: 'Succeeded' })];
    const verify = [hookOf('check')];
    expect(decided({ spec: { postRestore, verify }, status: { hooks: both } })).toMatchObject({
      kind: 'intend',
      stage: 'verify',
    });
  });

  it('pause before a retry', () => {
    const postRestore = [hookOf('a', { retries: 1 })];
    const hooks = [ran('a', 'postRestore', { outcome: 'Failed' })];
    const step = decided({ spec: { postRestore }, status: { hooks } });
    expect(step).toMatchObject({ kind: 'wait', ms: 3_000 });
    expect(step).toHaveProperty('reason', expect.stringContaining('a'));
  });

  it('wait for the attempt that is open', () => {
    const postRestore = [hookOf('a')];
    const [hook] = postRestore;
    const hooks = [{ ...ran('a', 'postRestore', {}), attempts: [{ startedAt: ago(1) }] }];
    const open = { stage: 'postRestore', hook, attempt: 1, startedMs: NOW_MS, pod: null } as const;
    const facts = { open: { ...open, exec: { kind: 'unseen' }, scale: null } } as object;
    const restore = { spec: { postRestore }, status: { hooks } };
    expect(decided(restore, facts).kind).toBe('createPod');
    expect(decided(restore)).toMatchObject({ kind: 'wait', ms: 0 });
  });

  it('say why the last one of the stage failed', () => {
    const spec = { preRestore: [hookOf('a')], postRestore: [hookOf('b')] };
    const message = (output: object): unknown => {
      const hooks = [
        ran('b', 'postRestore', { outcome: 'Failed', ...output }),
        ran('a', 'preRestore', { outcome: 'Succeeded' }),
      ];
      return decided({ spec, status: { hooks } });
    };
    const text = 'A hook of postRestore has not succeeded: b: because';
    expect(message({})).toEqual({ kind: 'fail', failure: { reason: 'HookFailed', message: text } });
    expect(message({ output: ' no space\n' })).toMatchObject({
      failure: { message: `${text} Output: no space` },
    });
  });
});

describe('the checks of a restore (SNAP-V11)', () => {
  it('are judged by the first one that has not succeeded', () => {
    const verify = [hookOf('a'), hookOf('b')];
    const hooks = [
      ran('a', 'verify', { outcome: 'Succeeded', exitCode: 0 }),
      ran('b', 'verify', { outcome: 'Failed', exitCode: 1 }),
    ];
    const verification = { result: 'Failed', reason: 'CheckFailed', message: 'b: because' };
    expect(decided({ spec: { verify }, status: { hooks } })).toEqual({
      kind: 'verified',
      verification,
    });
  });

  it('may be commands in a pod', () => {
    const verify = [{ name: 'a', exec: { podName: 'p', command: ['c'] } }];
    const hooks = [ran('a', 'verify', { outcome: 'Failed', exitCode: 1 })];
    expect(decided({ spec: { verify }, status: { hooks } })).toMatchObject({
      verification: { result: 'Failed' },
    });
  });
});

describe('the end of a restore', () => {
  const failure = { reason: 'NotBound', message: 'm', at: ago(1) };
  const metadata = { deletionTimestamp: ago(1) };
  const stopped = {
    spec: { preRestore: [{ name: 'stop', scale: { kind: 'Deployment', name: 'db' } }] },
    status: { scaled: [{ kind: 'Deployment', name: 'db', uid: 'u', replicas: 3 }] },
  };

  it('starts no hook after a failure, nor during the clean-up (SNAP-V8)', () => {
    const spec = { postRestore: [hookOf('a')] };
    expect(decided({ spec, status: { failure } })).toEqual({ kind: 'complete' });
    expect(decided({ spec, status: { phase: 'CleaningUp' } })).toEqual({ kind: 'complete' });
  });

  it('fails if its spec was changed (SNAP-V1)', () => {
    expect(decided({ metadata: { generation: 2 } })).toEqual({
      kind: 'fail',
      failure: { reason: 'SpecChanged', message: CHANGED_SPEC },
    });
  });

  it('keeps our finalizer while a failed restore keeps a workload at 0 (SNAP-V9)', () => {
    const status = { ...stopped.status, failure, completedAt: ago(1) };
    expect(decided({ ...stopped, status })).toEqual({ kind: 'done' });
    expect(decided({ ...stopped, status, metadata }).kind).toBe('scaleBack');
  });

  it('does nothing for a deleted restore without our finalizer', () => {
    expect(decided({ metadata: { ...metadata, finalizers: [] } })).toEqual({ kind: 'done' });
    expect(decided({ metadata })).toEqual({ kind: 'removeFinalizer' });
  });
});

describe('a workload that another client has scaled up (SNAP-V9)', () => {
  const workload = { kind: 'StatefulSet', name: 'db', uid: 'w', replicas: 2 } as const;
  const verify = [hookOf('check')];

  it.each([
    [1, '1 replica'],
    [3, '3 replicas'],
  ])('fails the restore, once the hook that runs has ended: %i', (replicas, counted) => {
    const restarted = { workload, replicas };
    const message = `StatefulSet db has ${counted} again, which another client has set: suspend that client (a GitOps tool, an operator, a user), then start another restore.`;
    expect(decided({ spec: { verify } }, { restarted })).toEqual({
      kind: 'fail',
      failure: { reason: 'NotStopped', message },
    });
    const open = { stage: 'verify', hook: hookOf('check'), exec: { kind: 'unseen' } } as OpenHook;
    expect(decided({ spec: { verify } }, { restarted, open }).kind).not.toBe('fail');
  });
});
