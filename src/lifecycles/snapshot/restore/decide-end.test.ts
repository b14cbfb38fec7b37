import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { RESTORE_POD_FINALIZER } from '../names.ts';
import { decideDeletion, decideEnd, keepsStopped } from './decide-end.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import type { SnapshotRestoreSpec, SnapshotRestoreStatus } from './kinds.ts';
import type { RestoreStep } from './step.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';
const pod = (metadata: object = {}): Pod => ({ metadata: { name: 'p', ...metadata } });
const kept = pod({ finalizers: [RESTORE_POD_FINALIZER] });
const claim: PersistentVolumeClaim = { metadata: { name: 'c' } };
const failure = { reason: 'HookFailed', message: 'm', at: '' };
const db = { kind: 'Deployment', name: 'db', uid: 'u', replicas: 3 } as const;
const scale = { kind: 'Deployment', name: 'db' } as const;

function factsOf(
  status: SnapshotRestoreStatus,
  spec: Partial<SnapshotRestoreSpec> = {},
  made: Partial<RestoreFacts['made']> = {},
): RestoreFacts {
  return {
    restore: { spec: { source: {}, ...spec }, status: { phase: 'CleaningUp', ...status } },
    claims: [],
    open: null,
    made: { pods: [], claims: [], ...made },
    restarted: null,
    nowMs: 0,
  };
}

const stopped = { preRestore: [{ name: 'stop', scale }] };

describe('the end of a restore', () => {
  it('begins with its phase, and deletes the pods before it is complete (SNAP-V17)', () => {
    expect(decideEnd(factsOf({ phase: 'Verifying' }))).toEqual({ kind: 'beginCleanup' });
    const pods = [kept, pod()];
    expect(decideEnd(factsOf({}, {}, { pods }))).toEqual({
      kind: 'releasePods',
      pods,
      deletes: true,
    });
    const ended = [pod({ deletionTimestamp })];
    expect(decideEnd(factsOf({}, {}, { pods: ended }))).toEqual({ kind: 'complete' });
    expect(decideEnd(factsOf({}))).toEqual({ kind: 'complete' });
  });

  it('releases the pods of a failed restore, and keeps them', () => {
    const step = { kind: 'releasePods', pods: [kept], deletes: false };
    expect(decideEnd(factsOf({ failure }, {}, { pods: [kept, pod()] }))).toEqual(step);
    expect(decideEnd(factsOf({ failure }, {}, { pods: [pod()] }))).toEqual({ kind: 'complete' });
  });

  it('scales a workload back, unless it is kept at 0 or the hook says not to (SNAP-V9)', () => {
    const scaled = [db];
    expect(decideEnd(factsOf({ scaled }, stopped))).toEqual({ kind: 'scaleBack', workload: db });
    expect(decideEnd(factsOf({ scaled, failure }, stopped)).kind).toBe('scaleBack');
    const left = [{ ...db, keptStopped: true }];
    expect(decideEnd(factsOf({ scaled: left, failure }, stopped))).toEqual({ kind: 'complete' });
    const next = { ...db, name: 'next' };
    const two = {
      preRestore: [...stopped.preRestore, { name: 's', scale: { ...scale, name: 'next' } }],
    };
    expect(decideEnd(factsOf({ scaled: [...left, next], failure }, two))).toEqual({
      kind: 'scaleBack',
      workload: next,
    });
    const done = [{ ...db, scaledBackAt: 'now' }];
    expect(decideEnd(factsOf({ scaled: done }, stopped))).toEqual({ kind: 'complete' });
    const stays = { preRestore: [{ name: 'stop', scale: { ...scale, scaleBack: false } }] };
    expect(decideEnd(factsOf({ scaled }, stays))).toEqual({ kind: 'complete' });
  });

  it.each([undefined, failure])(
    'of a rehearsal deletes pods, then claims: failure %o (SNAP-V12)',
    (why) => {
      const scratch = { scratch: true };
      const status = why === undefined ? {} : { failure: why };
      const next = (made: Partial<RestoreFacts['made']>): string =>
        decideEnd(factsOf(status, scratch, made)).kind;
      expect(next({ pods: [pod()], claims: [claim] })).toBe('releasePods');
      expect(next({ pods: [{ ...pod({ deletionTimestamp }) }], claims: [claim] })).toBe(
        'deleteClaims',
      );
      expect(next({ claims: [{ metadata: { deletionTimestamp } }] })).toBe('waitForClaims');
      expect(next({})).toBe('cleanedUp');
      const cleaned = factsOf({ ...status, cleanedUpAt: 'now' }, scratch);
      expect(decideEnd(cleaned)).toEqual({ kind: 'complete' });
    },
  );
});

describe('the deletion of a restore (SNAP-V13)', () => {
  it('cancels its command, stops its pods, and keeps its claims', () => {
    const facts = factsOf({}, {}, { pods: [kept], claims: [claim] });
    const open = { exec: { kind: 'underWay' } } as OpenHook;
    expect(decideDeletion({ ...facts, open })).toEqual({ kind: 'callOff' });
    expect(decideDeletion(facts)).toEqual({ kind: 'releasePods', pods: [kept], deletes: true });
    expect(decideDeletion(factsOf({}, {}, { claims: [claim] }))).toEqual({
      kind: 'removeFinalizer',
    });
  });

  it('scales back what a failed restore has left at 0 (SNAP-V9)', () => {
    const stays = { ...db, keptStopped: true };
    const { restore, ...rest } = factsOf({ scaled: [stays], failure }, stopped);
    const facts = { ...rest, restore: { ...restore, metadata: { deletionTimestamp } } };
    expect(decideDeletion(facts)).toEqual({ kind: 'scaleBack', workload: stays });
  });

  it('scales a workload back when its pods have ended, which may use the same claims (SNAP-V9)', () => {
    const running = { ...pod({ deletionTimestamp }), spec: { nodeName: 'n1', containers: [] } };
    const deletedMs = Date.parse(deletionTimestamp);
    const next = (pods: Pod[], afterMs: number): RestoreStep => {
      const { restore, ...rest } = factsOf({ scaled: [db] }, stopped, { pods });
      const terminating = { ...restore, metadata: { deletionTimestamp } };
      return decideDeletion({ ...rest, restore: terminating, nowMs: deletedMs + afterMs });
    };
    const reason = 'pod p is being stopped, and may use a claim of the workload';
    expect(next([running], 119_999)).toEqual({ kind: 'wait', ms: 1_000, reason });
    const back = { kind: 'scaleBack', workload: db };
    expect(next([running], 120_000)).toEqual(back);
    expect(next([{ ...running, status: { phase: 'Failed' } }], 0)).toEqual(back);
    expect(next([pod({ deletionTimestamp })], 0)).toEqual(back);
  });

  it('of a rehearsal deletes its claims', () => {
    expect(decideDeletion(factsOf({}, { scratch: true }, { claims: [claim] })).kind).toBe(
      'deleteClaims',
    );
  });
});

describe('the workloads of a restore (SNAP-V9)', () => {
  it('are kept at 0 after a failure alone', () => {
    const stays = (status: SnapshotRestoreStatus, spec: object = stopped): boolean =>
      keepsStopped(factsOf(status, spec).restore);
    expect(stays({ scaled: [db], failure })).toBe(true);
    expect([stays({ scaled: [db] }), stays({ failure }), stays({})]).toEqual([false, false, false]);
  });

  it('are scaled back by the settings of their own hook', () => {
    const other = { kind: 'StatefulSet', name: 'web' } as const;
    const leave = (action: object): object => ({ ...action, scaleBack: false });
    const back = (...scales: object[]): string => {
      const preRestore = scales.map((each, at) => ({ name: `${at}`, scale: each }));
      return decideEnd(factsOf({ scaled: [db] }, { preRestore } as object)).kind;
    };
    expect(back(leave(other), scale)).toBe('scaleBack');
    expect(back(leave({ ...scale, kind: 'StatefulSet' }), scale)).toBe('scaleBack');
    expect(back(leave({ ...scale, name: 'web' }), scale)).toBe('scaleBack');
    expect(back(other, leave(scale))).toBe('complete');
  });

  it('are left alone if they had no replicas', () => {
    const scaled = [{ ...db, replicas: 0 }];
    expect(decideEnd(factsOf({ scaled }, stopped))).toEqual({ kind: 'complete' });
  });
});

describe('the clean-up of a rehearsal (SNAP-V12)', () => {
  const terminating = pod({ deletionTimestamp });
  const keptTerminating = pod({ deletionTimestamp, finalizers: [RESTORE_POD_FINALIZER] });

  it('releases the pods that terminate, and says for which claims it waits', () => {
    const pods = [terminating, keptTerminating];
    const next = { kind: 'releasePods', pods: [keptTerminating], deletes: true };
    expect(decideEnd(factsOf({}, { scratch: true }, { pods }))).toEqual(next);
    expect(decideDeletion(factsOf({}, {}, { pods }))).toEqual(next);
    expect(decideDeletion(factsOf({}, {}, { pods: [pod()] })).kind).toBe('releasePods');
    const claims = ['a', 'b'].map((name) => ({ metadata: { name, deletionTimestamp } }));
    const step = decideEnd(factsOf({}, { scratch: true }, { claims }));
    expect(step).toEqual({ kind: 'waitForClaims', claims });
  });

  it('is done once, and a command that has ended does not hold up a deletion', () => {
    const cleaned = factsOf({ cleanedUpAt: 'now' }, { scratch: true }, { claims: [claim] });
    const open = { exec: { kind: 'unseen' } } as OpenHook;
    expect(decideDeletion({ ...cleaned, open })).toEqual({ kind: 'removeFinalizer' });
  });

  it('follows a failure in every phase', () => {
    expect(decideEnd(factsOf({ phase: 'Verifying', failure })).kind).toBe('complete');
  });
});
