import { describe, expect, it } from 'vitest';

import type { ActionAttempt } from '../kinds.ts';
import { BEGUN_UID, RESTORE_FINALIZER } from '../names.ts';
import { decide } from './decide.ts';
import type { RestoreFacts } from './facts.ts';
import type {
  RestoreHook,
  RestoreStage,
  SnapshotRestoreSpec,
  SnapshotRestoreStatus,
} from './kinds.ts';
import type { RestoreStep } from './step.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const at = new Date(NOW_MS - 60_000).toISOString();
const pod: RestoreHook = { name: 'check', pod: { image: 'i' } };
const recipe: RestoreHook = {
  name: 'check',
  pod: { image: 'i', recipe: { name: 'mariadb-lock' } },
};

function decided(
  spec: Partial<SnapshotRestoreSpec>,
  status: SnapshotRestoreStatus,
  metadata: object = {},
): RestoreStep {
  const facts: RestoreFacts = {
    restore: {
      metadata: {
        name: 'r',
        uid: 'u',
        finalizers: [RESTORE_FINALIZER],
        annotations: status.startedAt === undefined ? {} : { [BEGUN_UID]: 'u' },
        ...metadata,
      },
      spec: { source: {}, ...spec },
      status,
    },
    claims: [],
    open: null,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
  };
  return decide(facts);
}

const FAILED = { result: 'Failed', reason: 'CheckFailed' };
const UNKNOWN = { result: 'Unknown', reason: 'CheckUnknown' };

const begun = { startedAt: at, claimsRequestedAt: at, claimsReadyAt: at };

const ended = (
  outcome: ActionAttempt['outcome'],
  more: Partial<ActionAttempt> = {},
  stage: RestoreStage = 'verify',
): SnapshotRestoreStatus => {
  const attempt: ActionAttempt = { startedAt: at, endedAt: at, reason: 'because', ...more };
  if (outcome !== undefined) attempt.outcome = outcome;
  return { ...begun, hooks: [{ name: 'check', stage, attempts: [attempt] }] };
};

describe('a restore', () => {
  it.each<[string, SnapshotRestoreStatus, object, RestoreStep['kind']]>([
    ['gets our finalizer first', {}, { finalizers: [] }, 'addFinalizer'],
    ['is planned then', {}, {}, 'plan'],
    ['is marked as begun', { startedAt: at }, { annotations: {} }, 'markBegun'],
    ['requests its claims', { startedAt: at }, {}, 'requestClaims'],
    ['does not run a changed spec', { startedAt: at }, { generation: 2 }, 'fail'],
    ['loses our finalizer at the end', { ...begun, completedAt: at }, {}, 'removeFinalizer'],
    ['is left alone afterwards', { ...begun, completedAt: at }, { finalizers: [] }, 'done'],
  ])('%s', (...[, status, metadata, kind]) => {
    expect(decided({}, status, metadata).kind).toBe(kind);
  });

  it.each([
    ['whose status was removed', 'u'],
    ['that is a copy from a backup', 'other'],
  ])('%s never runs again (SNAP-S6)', (_, uid) => {
    expect(decided({ verify: [pod] }, {}, { annotations: { [BEGUN_UID]: uid } })).toMatchObject({
      kind: 'fail',
      failure: { reason: 'BegunBefore' },
    });
  });

  it('records the intent of each hook in turn (SNAP-V8)', () => {
    const preRestore = [{ ...pod, name: 'first' }];
    expect(decided({ preRestore, verify: [pod] }, { startedAt: at })).toMatchObject({
      kind: 'intend',
      stage: 'preRestore',
      attempt: 1,
    });
    expect(decided({ verify: [pod] }, begun)).toMatchObject({ kind: 'intend', stage: 'verify' });
  });

  it('fails with the first hook that fails (SNAP-V8)', () => {
    const status = ended('Failed', { output: 'no space' }, 'postRestore');
    expect(decided({ postRestore: [pod], verify: [pod] }, status)).toMatchObject({
      kind: 'fail',
      failure: {
        reason: 'HookFailed',
        message: expect.stringContaining('check: because Output: no space') as string,
      },
    });
  });

  it.each<[string, RestoreHook, SnapshotRestoreStatus, RestoreStep['kind']]>([
    ['a failure with retries left', { ...pod, retries: 1 }, ended('Failed'), 'intend'],
    ['no failure without them', pod, ended('Failed'), 'fail'],
    ['no unknown end', { ...pod, retries: 1 }, ended('Unknown'), 'fail'],
    [
      'an unknown end of an idempotent hook',
      { ...pod, retries: 1, idempotent: true },
      ended('Unknown'),
      'intend',
    ],
    [
      'a pod that timed out, which was stopped',
      { ...pod, retries: 1 },
      ended('TimedOut'),
      'intend',
    ],
    [
      'no command that timed out, which may still run',
      { name: 'check', exec: { podName: 'p', command: ['c'] }, retries: 1 },
      ended('TimedOut'),
      'fail',
    ],
    [
      'a command that was not started',
      { name: 'check', exec: { podName: 'p', command: ['c'] }, retries: 1 },
      ended('Failed', { notStarted: 'Unreached' }),
      'intend',
    ],
  ])('retries %s (SNAP-V10)', (...[, hook, status, kind]) => {
    const hooks = status.hooks?.map((each) => ({ ...each, stage: 'postRestore' as const }));
    expect(decided({ postRestore: [hook] }, { ...status, hooks: hooks ?? [] }).kind).toBe(kind);
  });

  it.each<[string, RestoreHook, SnapshotRestoreStatus, object]>([
    ['passes with code 0', pod, ended('Succeeded'), { result: 'Passed', reason: 'Verified' }],
    ['fails with another code', pod, ended('Failed', { exitCode: 2 }), FAILED],
    ['fails with the last code of its own', pod, ended('Failed', { exitCode: 125 }), FAILED],
    [
      'is unknown if sh could not run its program',
      pod,
      ended('Failed', { exitCode: 126 }),
      UNKNOWN,
    ],
    ['is unknown if sh found no program', pod, ended('Failed', { exitCode: 127 }), UNKNOWN],
    ['is unknown if a signal ended it', pod, ended('Failed', { exitCode: 137 }), UNKNOWN],
    [
      'is unknown with the code of the highest signal',
      pod,
      ended('Failed', { exitCode: 192 }),
      UNKNOWN,
    ],
    ['fails with a code above those of signals', pod, ended('Failed', { exitCode: 255 }), FAILED],
    ['is unknown if its pod was evicted, without an exit code', pod, ended('Failed'), UNKNOWN],
    [
      'of a recipe is unknown with a code that is not of the recipe',
      recipe,
      ended('Failed', { exitCode: 128 }),
      UNKNOWN,
    ],
    ['of a recipe fails with code 1', recipe, ended('Failed', { exitCode: 1 }), FAILED],
    ['of a recipe is unknown with code 2', recipe, ended('Failed', { exitCode: 2 }), UNKNOWN],
    ['is unknown if it timed out', pod, ended('TimedOut', { exitCode: 1 }), UNKNOWN],
    ['is unknown if its end was not seen', pod, ended('Unknown', { exitCode: 1 }), UNKNOWN],
    ['is unknown if it was not started', pod, ended('Failed', { notStarted: 'Denied' }), UNKNOWN],
  ])('whose check %s (SNAP-V11)', (...[, hook, status, verification]) => {
    expect(decided({ verify: [hook] }, status)).toMatchObject({ kind: 'verified', verification });
  });

  it('ends once its verification is recorded', () => {
    const verification = { result: 'Passed', reason: 'Verified', message: '', at } as const;
    expect(decided({ verify: [pod] }, { ...ended('Succeeded'), verification }).kind).toBe(
      'beginCleanup',
    );
  });
});
