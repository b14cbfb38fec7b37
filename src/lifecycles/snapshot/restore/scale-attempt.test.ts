import { describe, expect, it } from 'vitest';

import { decideAttempt } from './decide-attempt.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import type { RestoreHook, ScaledWorkload } from './kinds.ts';
import type { RestoreStep } from './step.ts';
import type { ScaleState } from './workload.ts';

const NOW_MS = 1_000_000;
const scaling: RestoreHook = {
  name: 'stop',
  scale: { kind: 'Deployment', name: 'db' },
  timeoutSeconds: 60,
};
const db: ScaledWorkload = { kind: 'Deployment', name: 'db', uid: 'u', replicas: 3 };

const STOPPED: ScaleState = { uid: 'u', wanted: 0, actual: 0, deletesClaims: false };

function decided(
  state: Partial<ScaleState> | null,
  { scaled = [db], elapsedMs = 10_000 }: { scaled?: ScaledWorkload[]; elapsedMs?: number } = {},
): RestoreStep {
  const open: OpenHook = {
    hook: scaling,
    stage: 'preRestore',
    attempt: 1,
    startedMs: NOW_MS - elapsedMs,
    pod: null,
    exec: { kind: 'unseen' },
    scale: state === null ? null : { ...STOPPED, ...state },
  };
  const facts: RestoreFacts = {
    restore: { spec: { source: {} }, status: { scaled } },
    claims: [],
    open,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
  };
  return decideAttempt(facts, open);
}

const end = (outcome: 'Succeeded' | 'Failed' | 'TimedOut', reason: string): RestoreStep => ({
  kind: 'recordEnd',
  hook: scaling,
  end: { outcome, reason: `Deployment db ${reason}.`, output: '' },
});

describe('an attempt to stop a workload (SNAP-V9)', () => {
  it('fails without the workload', () => {
    expect(decided(null)).toEqual(end('Failed', 'does not exist'));
  });

  it('scales down only the workload whose replicas are recorded', () => {
    const running = { uid: 'u', wanted: 3, actual: 3 };
    expect(decided(running)).toEqual({ kind: 'scaleDown', hook: scaling });
    const others: ScaledWorkload[] = [
      { ...db, kind: 'StatefulSet', uid: 'u1' },
      { ...db, name: 'web', uid: 'u2' },
    ];
    expect(decided(running, { scaled: [...others, db] }).kind).toBe('scaleDown');
    const why = 'was created after the attempt had started: its replicas are not recorded';
    expect(decided(running, { scaled: others })).toEqual(end('Failed', why));
  });

  it('fails for one that would delete its claims, and is fine if it has no replicas', () => {
    const why =
      'deletes its claims when it is scaled down: set persistentVolumeClaimRetentionPolicy.whenScaled to Retain, then start another restore';
    const deletes = { deletesClaims: true };
    expect(decided({ ...deletes, wanted: 1, actual: 1 })).toEqual(end('Failed', why));
    expect(decided(deletes)).toEqual(end('Succeeded', 'has no pods'));
  });

  it('fails if another workload has the name now', () => {
    expect(decided({ uid: 'other', wanted: 3, actual: 3 })).toEqual(end('Failed', 'was replaced'));
  });

  it('waits for the last pod until its timeout', () => {
    const left = { uid: 'u', wanted: 0, actual: 1 };
    const reason = 'Deployment db has 1 pod';
    expect(decided(left, { elapsedMs: 59_999 })).toEqual({ kind: 'wait', ms: 1_000, reason });
    expect(decided(left, { elapsedMs: 60_000 })).toEqual(
      end('TimedOut', 'still has 1 pod after 60 s'),
    );
  });

  it('ends at its timeout although another client scales the workload up again and again', () => {
    const running = { uid: 'u', wanted: 3, actual: 1 };
    expect(decided(running, { elapsedMs: 59_999 }).kind).toBe('scaleDown');
    expect(decided(running, { elapsedMs: 60_000 })).toEqual(
      end('TimedOut', 'still has 3 replicas after 60 s: another client may have set them'),
    );
  });

  it('succeeds without pods', () => {
    expect(decided({ uid: 'u', wanted: 0, actual: 0 })).toEqual(end('Succeeded', 'has no pods'));
  });
});
