/** Steps of a snapshot in states that last only for a moment, or follow a crash. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  cutMarkAgo,
  sampleFacts,
  sampleHook,
  sampleSnapshot,
  sampleVolume,
  thawed,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { admittedSingle, windowFacts } from '../../../../test/fixtures/snapshot/window-facts.ts';
import type { ApplicationSnapshotStatus } from '../kinds.ts';
import { CUT_RELEASE } from '../names.ts';
import { observeVolumes } from './cut.ts';
import { decide } from './decide.ts';
import type { SnapshotFacts } from './facts.ts';

const released = (seconds: number) =>
  sampleHook({ annotations: { [CUT_RELEASE]: cutMarkAgo(seconds) } });
const failure = { reason: 'HookGone', message: 'hook hook-0 was deleted', at: ago(5) };

/** The same facts, with exactly this status in the snapshot. */
function withStatus(facts: SnapshotFacts, status?: ApplicationSnapshotStatus): SnapshotFacts {
  const { status: _, ...snapshot } = facts.snapshot;
  return { ...facts, snapshot: status === undefined ? snapshot : { ...snapshot, status } };
}

describe('a cut whose record is missing after a crash (SNAP-S4)', () => {
  it('is recorded with what the volumes show', () => {
    const volumes = [volumeFacts(sampleVolume('data'), { creationTime: ago(2) })];
    const status = { cutRequestedAt: ago(5) };
    expect(decide(sampleFacts({ hooks: [released(1)], volumes, status }))).toEqual({
      kind: 'recordCut',
      volumes: [{ ...sampleVolume('data'), cut: true, creationTime: ago(2) }],
    });
  });

  it('is not recorded by the release that another client has written (SNAP-S8)', () => {
    const hooks = [sampleHook({ annotations: { [CUT_RELEASE]: `ab13@${ago(1)}` } })];
    const failed = { kind: 'fail', reason: 'ThawedBeforeCut' };
    expect(decide(sampleFacts({ hooks, status: { cutRequestedAt: ago(5) } }))).toMatchObject(
      failed,
    );
    expect(decide(windowFacts({ hooks }))).toMatchObject(failed);
  });

  it('is recorded with the volumes of a window', () => {
    expect(decide(windowFacts({ hooks: [released(1)] }))).toEqual({
      kind: 'recordCut',
      volumes: [sampleVolume('data'), sampleVolume('wal')],
    });
  });
});

describe('a snapshot', () => {
  it('adds a finalizer that a user has removed before the plan (SNAP-S1)', () => {
    const facts = withStatus(sampleFacts());
    const metadata = { ...sampleSnapshot().metadata, finalizers: [] };
    expect(decide({ ...facts, snapshot: { ...facts.snapshot, metadata } })).toEqual({
      kind: 'addFinalizer',
    });
  });

  it('is released when it is deleted before it has a status', () => {
    expect(decide(withStatus(sampleFacts({ volumes: [], terminating: true })))).toEqual({
      kind: 'removeFinalizer',
    });
  });

  it('waits after its failure for hooks that have not reported their thaw', () => {
    const hooks = [sampleHook({ terminating: ago(3) })];
    const facts = sampleFacts({ status: { failure }, hooks, volumes: [] });
    expect(decide(facts)).toEqual({ kind: 'wait', reason: '1 hook must still thaw' });
  });

  it('that has failed before its plan has nothing to wait for', () => {
    const facts = sampleFacts({ volumes: [] });
    expect(decide(withStatus(facts, { failure }))).toEqual({ kind: 'finishFailure' });
  });

  it('is not judged before its hooks have reported their thaw', () => {
    const plan = { ...sampleVolume('data'), cut: true, creationTime: ago(4), readyToUse: true };
    const facts = sampleFacts({
      hooks: [released(3)],
      volumes: [volumeFacts(plan, { creationTime: ago(4), readyToUse: true })],
      status: { cutRequestedAt: ago(5), cutObservedAt: ago(3), phase: 'Finishing' },
    });
    expect(decide(facts)).toEqual({ kind: 'wait', reason: 'the hooks thaw' });
  });
});

describe('a window that is deleted while it is open', () => {
  it.each([
    [undefined, { reason: 'Deleted', message: 'its window was deleted while it was open' }],
    [failure, { reason: failure.reason, message: failure.message }],
  ])('fails what it has admitted; its own failure: %j', (own, expected) => {
    const facts = windowFacts({
      admitted: [admittedSingle('a')],
      hooks: [sampleHook({ status: thawed() })],
      terminating: true,
      ...(own === undefined ? {} : { status: { failure: own } }),
    });
    expect(decide(facts)).toEqual({ kind: 'failAdmitted', ...expected });
  });
});

describe('the volumes of a snapshot whose objects have no status yet', () => {
  it('have no time of a cut', () => {
    const { plan, snapshot, content } = volumeFacts(sampleVolume('data'), {});
    const { status: _, ...created } = content ?? { spec: {} };
    const bare = { plan, snapshot, content: created as typeof content };
    expect(observeVolumes(sampleFacts({ volumes: [bare] }))).toEqual([{ ...plan, cut: true }]);
  });

  it('wait for the group to be ready', () => {
    const plan = { ...sampleVolume('data'), cut: true, readyToUse: true };
    const facts = sampleFacts({
      volumes: [{ plan, snapshot: null, content: null }],
      status: {
        cutRequestedAt: ago(5),
        cutObservedAt: ago(3),
        phase: 'Finishing',
        volumeGroupSnapshotUID: 'group-1',
      },
    });
    const group = {
      snapshot: { metadata: { name: 'g', namespace: 'shop', uid: 'group-1' } },
      content: {
        metadata: { name: 'gc' },
        spec: {
          volumeGroupSnapshotRef: { uid: 'group-1' },
          deletionPolicy: 'Delete' as const,
          driver: 'fast.example',
          source: { volumeHandles: ['handle-data'] },
        },
      },
    };
    expect(decide({ ...facts, group })).toEqual({
      kind: 'wait',
      reason: '0 of 1 snapshots are not ready',
    });
  });
});
