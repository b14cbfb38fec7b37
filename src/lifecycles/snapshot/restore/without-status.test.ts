/** Objects that a restore reads and that have no status yet, or lack a part of it. */
import { describe, expect, it } from 'vitest';

import type { ApplicationSnapshot } from '../kinds.ts';
import { decide } from './decide.ts';
import { decideAttempt } from './decide-attempt.ts';
import { decideClaims } from './decide-claims.ts';
import { decideDeletion, decideEnd, keepsStopped } from './decide-end.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import type {
  RestoredClaim,
  RestoreHook,
  SnapshotRestore,
  SnapshotRestoreStatus,
} from './kinds.ts';
import { isContentOf, verdictOn } from './source-verdict.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const at = new Date(NOW_MS - 1_000).toISOString();

function factsOf(restore: Partial<SnapshotRestore>): RestoreFacts {
  return {
    restore: { spec: { source: {} }, ...restore },
    claims: [],
    open: null,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
  };
}

describe('a restore without a status', () => {
  it('gets its finalizer', () => {
    expect(decide(factsOf({ metadata: { uid: 'u' } }))).toEqual({ kind: 'addFinalizer' });
  });

  it('is released when it is deleted, after a scratch restore was cleaned up (SNAP-V12)', () => {
    expect(decideDeletion(factsOf({}))).toEqual({ kind: 'removeFinalizer' });
    const scratch = { source: {}, scratch: true };
    expect(decideDeletion(factsOf({ spec: scratch }))).toEqual({ kind: 'cleanedUp' });
  });

  it('keeps no workload stopped', () => {
    expect(keepsStopped({ spec: { source: {} } })).toBe(false);
  });
});

describe('a restore whose status lacks a part', () => {
  it('waits for a claim without a status (SNAP-V7)', () => {
    const claim: RestoredClaim = {
      sourceClaimName: 'data',
      volumeSnapshotName: 's',
      volumeSnapshotUID: 'su',
      claimName: 'new',
      accessModes: [],
      size: '1Gi',
      claimUID: 'u',
    };
    const facts = factsOf({ status: { claims: [claim], claimsRequestedAt: at } });
    const created = { claim: { metadata: { uid: 'u' } }, waitsForConsumer: false };
    expect(decideClaims({ ...facts, claims: [created] })).toEqual({
      kind: 'wait',
      ms: 30_000,
      reason: 'claim new is not bound',
    });
  });

  it('does not scale a workload down whose replicas it has not recorded (SNAP-V9)', () => {
    const hook: RestoreHook = { name: 'stop', scale: { kind: 'Deployment', name: 'db' } };
    const open: OpenHook = {
      hook,
      stage: 'preRestore',
      attempt: 1,
      startedMs: NOW_MS,
      pod: null,
      exec: { kind: 'unseen' },
      scale: { uid: 'u', wanted: 3, actual: 3, deletesClaims: false },
    };
    for (const status of [undefined, {}]) {
      const restore = status === undefined ? {} : { status };
      expect(decideAttempt(factsOf(restore), open)).toMatchObject({
        kind: 'recordEnd',
        end: { outcome: 'Failed' },
      });
    }
  });

  it('scales a recorded workload back although no hook names it (SNAP-V9)', () => {
    const workload = { kind: 'Deployment', name: 'db', uid: 'u', replicas: 3 } as const;
    const status: SnapshotRestoreStatus = { phase: 'CleaningUp', scaled: [workload] };
    expect(decideEnd(factsOf({ status }))).toEqual({ kind: 'scaleBack', workload });
  });
});

describe('the source of a restore', () => {
  const snapshot = { metadata: { name: 's', uid: 'su' } };
  const content = {
    metadata: { name: 'c' },
    spec: {
      volumeSnapshotRef: { name: 's', namespace: 'shop', uid: 'su' },
      deletionPolicy: 'Delete' as const,
      driver: 'fast.example',
      source: {},
    },
  };

  it('has no verdict where its record has no status', () => {
    const record: ApplicationSnapshot = { metadata: { uid: 'app' }, spec: { source: {} } };
    expect(verdictOn([{ snapshot, content: null, window: null, record }])).toMatchObject({
      reason: 'NoTrustedVerdict',
    });
  });

  it('has no content before it names one (SNAP-V3)', () => {
    expect(isContentOf(content, snapshot)).toBe(false);
  });
});
