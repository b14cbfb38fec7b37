import { describe, expect, it } from 'vitest';

import { ago, sampleHook, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import {
  admittedGroup,
  admittedSingle,
  WINDOW,
  windowFacts,
} from '../../../../test/fixtures/snapshot/window-facts.ts';
import { RELEASE } from '../names.ts';
import { decide } from './decide.ts';
import type { SnapshotFacts } from './facts.ts';

const decided = (facts: Parameters<typeof windowFacts>[0]): string =>
  stepText(decide(windowFacts(facts)));
const messageOf = (facts: SnapshotFacts): string => {
  const step = decide(facts);
  return 'message' in step ? step.message : '';
};

describe('a window that freezes', () => {
  const opening = { volumes: [sampleVolume('data')] };
  const freezing = (seconds: number): object => ({
    status: { ...opening, startedAt: ago(seconds), phase: 'Freezing', cutRequestedAt: undefined },
  });

  it('admits when all hooks have frozen (SNAP-W1)', () => {
    expect(decided(freezing(1))).toBe('beginAdmitting');
    expect(decided({ ...freezing(1), hooks: [sampleHook({ status: {} })] })).toBe('wait 9000 ms');
    expect(decided({ ...freezing(1), hooks: [null] })).toBe('createHook 0');
  });

  it('fails when no request waits for it any more, and then thaws (SNAP-W8)', () => {
    const late = windowFacts({ ...freezing(10), hooks: [sampleHook({ status: {} })] });
    expect(stepText(decide(late))).toBe('fail FreezeTimeout');
    expect(messageOf(late)).toContain('within 10 s');
  });

  it('fails as any snapshot when a preAction fails (SNAP-W8)', () => {
    const hooks = [sampleHook({ status: { preActionSucceed: false } })];
    expect(decided({ ...freezing(1), hooks })).toBe('fail PreActionFailed');
    expect(decided({ ...freezing(10), hooks })).toBe('fail PreActionFailed');
  });
});

describe('a window that has not begun', () => {
  const executionHookInfos = [{ executionHookTemplateName: 'lock' }];
  const opened = (seconds: number, isInherited: boolean): string => {
    const { snapshot, ...facts } = windowFacts({ hooks: [], spec: { executionHookInfos } });
    const metadata = { ...snapshot.metadata, creationTimestamp: ago(seconds) };
    const { status: _, ...fresh } = snapshot;
    const opening = { ...facts, isInherited, snapshot: { ...fresh, metadata } };
    const step = decide(opening);
    return step.kind === 'fail' ? `${stepText(step)}: ${step.message}` : stepText(step);
  };

  it('is not frozen by a new leader when its request was answered meanwhile (SNAP-W8)', () => {
    expect(opened(11, true)).toBe(
      'fail FreezeTimeout: no controller was the leader within 10 s (freezeTimeoutSeconds), so the request that opened this window no longer waits: nothing is frozen',
    );
    expect(opened(10, true)).toBe('plan');
  });

  it('is frozen by the leader of its time, whatever the clock says (SNAP-W8)', () => {
    expect(opened(3_600, false)).toBe('plan');
    expect(opened(-3_600, true)).toBe('plan');
  });
});

describe('an open window', () => {
  it('without an admitted object closes five seconds after its freeze (SNAP-W4)', () => {
    expect(decide(windowFacts({ status: { cutRequestedAt: ago(4) } }))).toEqual({
      kind: 'waitFor',
      ms: 1_000,
      reason: 'no request is admitted yet',
    });
    expect(decide(windowFacts({ status: { cutRequestedAt: ago(5) } }))).toEqual({
      kind: 'fail',
      reason: 'NothingAdmitted',
      message:
        'no request was admitted within 5 s after the freeze: the API server or the client had stopped waiting',
    });
    const unfrozen = admittedSingle('a', { entry: { unfrozen: 'FreezeTimeout' } });
    expect(decided({ admitted: [unfrozen] })).toBe('fail NothingAdmitted');
  });

  it('closes when every admitted object is cut (SNAP-W4)', () => {
    const [a, b] = [admittedSingle('a', { cut: true }), admittedSingle('b')];
    expect(decided({ admitted: [a, b] })).toBe('wait 20000 ms');
    expect(decided({ admitted: [a, admittedSingle('b', { cut: true })] })).toBe(
      'closeWindow a Cut b Cut',
    );
    expect(decided({ admitted: [admittedSingle('a', { cut: true, seconds: 0 })] })).toBe(
      'closeWindow a Cut',
    );
  });

  it('does not wait for one that was cut and then deleted, whose content is there (SNAP-W4)', () => {
    const cut = admittedSingle('a', { cut: true });
    for (const deleted of [
      { ...cut, object: null },
      { ...cut, object: null, isMissing: true },
    ])
      expect(stepText(decide(windowFacts({ admitted: [deleted] })))).toBe('closeWindow a Cut');
  });

  it('names each object that it waits for (SNAP-W4)', () => {
    const admitted = [admittedSingle('a', { there: false, seconds: 2 }), admittedSingle('b')];
    expect(decide(windowFacts({ admitted }))).toEqual({
      kind: 'waitFor',
      ms: 3_000,
      reason:
        'VolumeSnapshot snapshot-a has not appeared yet; VolumeSnapshot snapshot-b has no creationTime in its content yet',
    });
  });

  it('waits for an object that may still appear, and not for one that does not (SNAP-W4)', () => {
    const late = admittedSingle('a', { there: false, seconds: 2 });
    expect(decided({ admitted: [late] })).toBe('wait 3000 ms');
    const missing = admittedSingle('a', { missing: true, seconds: 5 });
    expect(decided({ admitted: [missing] })).toBe('closeWindow a NotCreated');
    expect(decided({ admitted: [missing, admittedSingle('b')] })).toBe('wait 20000 ms');
    const entry = { unfrozen: 'FreezeTimeout' };
    const unfrozen = admittedSingle('u', { there: false, seconds: 2, entry });
    expect(decided({ admitted: [unfrozen, admittedSingle('b')] })).toBe('wait 20000 ms');
  });

  it('does not wait for an object that is deleted or of another volume (SNAP-W3, SNAP-W4)', () => {
    expect(decided({ admitted: [admittedSingle('a', { terminating: true })] })).toBe(
      'closeWindow a Deleted',
    );
    const other = admittedSingle('a', { cut: true, handle: 'handle-of-another' });
    expect(decided({ admitted: [other] })).toBe('closeWindow a WrongVolume');
    const wal = admittedSingle('a', { cut: true, handle: 'handle-wal' });
    expect(decided({ admitted: [wal] })).toBe('closeWindow a WrongVolume');
  });

  it('of a group closes at the cut of the group, and checks its volumes (SNAP-W3)', () => {
    const whole = admittedGroup('g', { handles: ['handle-data', 'handle-wal'] });
    expect(decided({ admitted: [whole] })).toBe('closeWindow g Cut');
    const strange = admittedGroup('g', { handles: ['handle-data', 'handle-of-another'] });
    expect(decided({ admitted: [strange] })).toBe('closeWindow g WrongVolume');
  });

  it('of a group waits until the storage lists what it has cut, or is ready (SNAP-W3)', () => {
    const listed = admittedGroup('g', { handles: ['handle-data'], ready: false });
    expect(decided({ admitted: [listed] })).toBe('closeWindow g Cut');
    const { volumeSnapshotInfoList: _, ...status } = listed.content?.status ?? {};
    const content = listed.content === null ? null : { ...listed.content, status };
    const step = decide(windowFacts({ admitted: [{ ...listed, content }] }));
    expect(step).toMatchObject({
      kind: 'waitFor',
      reason: 'VolumeGroupSnapshot snapshot-g does not list its volumes yet',
    });
    const ready = admittedGroup('g', { handles: ['handle-data'] });
    expect(decided({ admitted: [{ ...ready, content }] })).toBe('closeWindow g Cut');
  });

  it('compares no volume that the storage does not name (SNAP-W3)', () => {
    const { content, ...single } = admittedSingle('a', { cut: true });
    const unnamed = content === null ? null : { ...content, spec: { ...content.spec, source: {} } };
    expect(decided({ admitted: [{ ...single, content: unnamed }] })).toBe('closeWindow a Cut');
    const { content: whole, ...group } = admittedGroup('g', { handles: [] });
    const parts = [{ snapshotHandle: 's' }];
    const status = { ...whole?.status, volumeSnapshotInfoList: parts };
    const cut = whole === null ? null : { ...whole, status };
    expect(decided({ admitted: [{ ...group, content: cut }] })).toBe('closeWindow g Cut');
  });

  it('admits nothing more in the second half of its time, and closes at its end (SNAP-W4, SNAP-W6)', () => {
    const slow = [admittedSingle('a'), admittedSingle('b', { cut: true })];
    expect(decided({ admitted: slow, status: { cutRequestedAt: ago(29) } })).toBe('wait 1000 ms');
    expect(decided({ admitted: slow, status: { cutRequestedAt: ago(30) } })).toBe('sealWindow');
    const sealed = { sealedAt: ago(1), cutRequestedAt: ago(31) };
    expect(decided({ admitted: slow, status: sealed })).toBe('wait 29000 ms');
    const over = { sealedAt: ago(1), cutRequestedAt: ago(60) };
    expect(decided({ admitted: slow, status: over })).toBe('closeWindow a NotCut b Cut');
  });

  it('is held open after its last request, if the guard says so (SNAP-W6)', () => {
    const spec = { window: { ...WINDOW, holdOpenSeconds: 3 } };
    const [old, young] = [9, 1].map((seconds) =>
      admittedSingle(`${seconds}`, { cut: true, seconds }),
    );
    if (old === undefined || young === undefined) throw new Error('two are made');
    expect(decide(windowFacts({ spec, admitted: [old, young] }))).toEqual({
      kind: 'waitFor',
      ms: 2_000,
      reason: 'it is held open for more requests',
    });
    expect(decided({ spec, admitted: [old] })).toBe('closeWindow 9 Cut');
  });

  it('is not held open for requests that it does not admit any more (SNAP-W4)', () => {
    const spec = { window: { ...WINDOW, holdOpenSeconds: 60 } };
    const admitted = [admittedSingle('a', { cut: true })];
    const waits = (seconds: number, sealed: object = {}): string =>
      decided({ spec, admitted, status: { cutRequestedAt: ago(seconds), ...sealed } });
    expect(waits(29)).toBe('wait 1000 ms');
    expect(waits(30)).toBe('closeWindow a Cut');
    expect(waits(10, { sealedAt: ago(1) })).toBe('closeWindow a Cut');
  });

  it('fails as a whole when the freeze is lost, and not when a claim is (SNAP-W3)', () => {
    const hooks = [sampleHook({ annotations: { [RELEASE]: 'Human@x' } })];
    const cut = [admittedSingle('a', { cut: true })];
    expect(decided({ hooks, admitted: cut })).toBe('fail ThawedBeforeCut');
  });
});

describe('a closed window', () => {
  const closed = { closedAt: ago(1), admitted: [] };
  const admitted = [admittedSingle('a', { cut: true, entry: { outcome: 'Cut' } })];

  it('requests the thaw, with nothing more to decide about its objects (SNAP-W4)', () => {
    expect(decided({ status: { closedAt: ago(1) }, admitted })).toBe('recordCut');
    const lost = [sampleHook({ annotations: { [RELEASE]: 'Human@x' } })];
    expect(decided({ status: closed, hooks: lost })).toBe('fail ThawedBeforeCut');
  });
});
