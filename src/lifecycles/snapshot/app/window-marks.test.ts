import { describe, expect, it } from 'vitest';

import {
  ago,
  sampleFacts,
  sampleHook,
  sampleSnapshot,
  sampleVolume,
  thawed,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import {
  admittedGroup,
  admittedSingle,
  type SampleAdmitted,
  windowFacts,
} from '../../../../test/fixtures/snapshot/window-facts.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { VERDICT, VERDICT_EVIDENCE } from '../names.ts';
import type { ApplicationSnapshotStatus } from '../kinds.ts';
import type { AdmittedFacts } from './admitted-facts.ts';
import { decide } from './decide.ts';
import type { VolumeFacts } from './facts.ts';
import { decideMarks, decideWindowReady } from './decide-end.ts';
import { verdictMarks } from './verdict-marks.ts';
import { admittedMarksDue, type DueMark, ownMarksDue } from './window-marks.ts';

const GOOD = { value: 'ApplicationConsistent', reason: 'FrozenAtCut', message: 'm' } as const;
const LATE = { value: 'Inconsistent', reason: 'ThawedBeforeCut', message: 'm' } as const;

const snapshot = sampleSnapshot({ completedAt: ago(1) });
const marked = verdictMarks(snapshot, { ...GOOD, decidedAt: ago(1) });
const dueOn = (...admitted: AdmittedFacts[]): readonly DueMark[] =>
  admittedMarksDue({ snapshot, admitted });
const due = (uid: string, sample: SampleAdmitted): readonly string[] =>
  dueOn(admittedSingle(uid, sample)).map(
    ({ kind, verdict }) => `${kind} ${verdict.value} ${verdict.reason}`,
  );

describe('the marks on admitted objects', () => {
  it('are due on the object and on its content until they are there (SNAP-W5)', () => {
    expect(due('a', { entry: { verdict: GOOD } })).toEqual([
      'snapshot ApplicationConsistent FrozenAtCut',
      'content ApplicationConsistent FrozenAtCut',
    ]);
    expect(due('a', { entry: { verdict: GOOD }, ...marked })).toEqual([]);
    expect(due('a', { entry: { verdict: LATE }, ...marked })).toHaveLength(2);
    const otherReason = { ...GOOD, reason: 'Other' };
    expect(due('a', { entry: { verdict: otherReason }, ...marked })).toHaveLength(2);
    const otherValue = { ...GOOD, value: 'Unknown' } as const;
    expect(due('a', { entry: { verdict: otherValue }, ...marked })).toHaveLength(2);
    expect(due('a', {})).toEqual([]);
    expect(due('a', { there: false, entry: { verdict: LATE } })).toEqual([]);
  });

  it('are due again when another client has changed any of them, or set them at the creation (SNAP-S7)', () => {
    const forged = { [VERDICT_EVIDENCE]: '{"hooks":[]}' };
    const entry = { verdict: GOOD };
    const both = ['snapshot', 'content'].map((kind) => `${kind} ApplicationConsistent FrozenAtCut`);
    expect(due('a', { entry, labels: marked.labels, annotations: forged })).toEqual(both);
    expect(due('a', { entry, labels: marked.labels })).toEqual(both);
    expect(due('a', { entry, annotations: marked.annotations })).toEqual(both);
  });

  it('stay as they are when other clients add labels and annotations (SNAP-S7)', () => {
    const labels = { ...marked.labels, app: 'shop' };
    const annotations = { ...marked.annotations, owner: 'anna' };
    expect(due('a', { entry: { verdict: GOOD }, labels, annotations })).toEqual([]);
  });

  it('of a failed window stay the same until its end is recorded, and after that (SNAP-S7)', () => {
    const failure = { reason: 'FreezeLost', message: 'm', at: ago(9) };
    const admitted = [admittedSingle('a', { entry: { verdict: LATE } })];
    const textIn = (status: ApplicationSnapshotStatus): unknown =>
      admittedMarksDue({ snapshot: sampleSnapshot(status), admitted })[0]?.marks;
    expect(textIn({ failure, completedAt: ago(1) })).toEqual(textIn({ failure }));
  });

  it('of a group are due on its members too (SNAP-W5)', () => {
    const group = admittedGroup('g', { handles: [] }, { verdict: GOOD });
    expect(dueOn(group).map(({ kind }) => kind)).toEqual([
      'group',
      'groupContent',
      'snapshot',
      'content',
    ]);
  });

  it('say Inconsistent for an unfrozen copy of different moments (SNAP-W8)', () => {
    const verdict = { value: 'CrashConsistent', reason: 'NotFrozen', message: 'm' } as const;
    const entry = { unfrozen: 'FreezeTimeout', verdict };
    expect(due('a', { entry, cut: true })).toEqual([
      'snapshot CrashConsistent NotFrozen',
      'content CrashConsistent NotFrozen',
    ]);
    // The storage reports together with the cut whether all data is of one moment. So no mark is due before the cut.
    expect(due('a', { entry, cut: false })).toEqual([]);
    expect(due('a', { entry, there: false })).toEqual([]);
    expect(due('a', { entry, cut: true, annotations: { 'lifehook.dev/atomic': 'false' } })).toEqual(
      ['snapshot Inconsistent NotAtomic', 'content Inconsistent NotAtomic'],
    );
    const annotations = { 'lifehook.dev/atomic': 'false' };
    const [mark] = dueOn(admittedSingle('a', { entry, cut: true, annotations }));
    expect(mark?.verdict.message).toBe('m; this snapshot may mix data of different moments');
  });
});

describe('the marks on the snapshots of its own', () => {
  const verdict = { ...GOOD, decidedAt: ago(1) };
  const status = { phase: 'Completed', completedAt: ago(1), verdict } as const;
  const of = (change: Partial<NonNullable<KubeObject['metadata']>>): string => {
    const plain = sampleFacts({ status, finalizers: [] });
    const marks = verdictMarks(plain.snapshot, verdict);
    const volumes = plain.volumes.map((each) => ({
      ...each,
      snapshot: { ...each.snapshot, metadata: { ...each.snapshot?.metadata, ...marks, ...change } },
      content: null,
    }));
    return stepText(decide({ ...plain, volumes }));
  };

  it('are due again when another client has changed them (SNAP-S7)', () => {
    expect(of({})).toBe('wait');
    expect(of({ annotations: { [VERDICT_EVIDENCE]: '{}' } })).toBe(
      'markVerdicts snapshot:FrozenAtCut',
    );
    expect(of({ labels: { [VERDICT]: 'Unknown' } })).toBe('markVerdicts snapshot:FrozenAtCut');
  });

  it('are not due on another snapshot of the same name (SNAP-S7)', () => {
    expect(of({ labels: {}, uid: 'another' })).toBe('wait');
  });

  it('are due on the content too, and on nothing that is not there (SNAP-S7)', () => {
    const kinds = (volumes: readonly VolumeFacts[]): readonly string[] =>
      ownMarksDue(sampleFacts({ status, volumes }), verdict).map(({ kind }) => kind);
    expect(kinds([volumeFacts(sampleVolume('data'), {})])).toEqual(['snapshot', 'content']);
    expect(kinds([volumeFacts(sampleVolume('data'), null)])).toEqual([]);
  });

  it('are due on the group and its content, not on a later group of the same name (SNAP-S7)', () => {
    const { object, content } = admittedGroup('g', { handles: [] });
    const group = { snapshot: object, content };
    const kinds = (volumeGroupSnapshotUID: string): readonly string[] => {
      const facts = sampleFacts({ status: { ...status, volumeGroupSnapshotUID }, volumes: [] });
      return ownMarksDue({ ...facts, group }, verdict).map(({ kind }) => kind);
    };
    expect(kinds('g')).toEqual(['group', 'groupContent']);
    expect(kinds('before')).toEqual(['groupContent']);
  });
});

describe('the end of a window', () => {
  const over = { cutObservedAt: ago(1), closedAt: ago(1), phase: 'Finishing' } as const;
  const evidence = { name: 'hook-0', targets: [] };
  const hooks = [sampleHook({ finalizers: [], status: thawed() })];
  const decided = (facts: Parameters<typeof windowFacts>[0]): string =>
    stepText(decide(windowFacts(facts)));

  it('waits for no snapshot to be ready, so that each has its verdict (SNAP-W3)', () => {
    const status = { ...over, hooks: [evidence] };
    const single = admittedSingle('a', { cut: true, entry: { outcome: 'Cut' } });
    const group = admittedGroup('g', { handles: [], ready: false }, { outcome: 'Cut' });
    expect(decided({ status, hooks, admitted: [single, group] })).toBe('judgeWindow');
  });

  it('waits until the evidence of every hook is stored, if it has hooks (SNAP-W3)', () => {
    const ready = (status: ApplicationSnapshotStatus): object =>
      decideWindowReady({ ...windowFacts(), snapshot: sampleSnapshot(status) });
    expect(ready({ executionHookNames: ['hook-0'] })).toEqual({
      kind: 'wait',
      reason: 'the hooks thaw',
    });
    expect(ready({})).toEqual({ kind: 'judgeWindow' });
  });

  it('gives no verdict by a failure to a window that has none (SNAP-W3)', () => {
    expect(decideMarks(windowFacts({ admitted: [admittedSingle('a')] }), null)).toBeNull();
  });

  it('marks what appears after it is completed (SNAP-W5)', () => {
    const status = { ...over, phase: 'Completed', completedAt: ago(1) } as const;
    const late = admittedSingle('a', { entry: { verdict: LATE } });
    expect(decided({ status, hooks, admitted: [late] })).toBe(
      'markVerdicts snapshot:ThawedBeforeCut content:ThawedBeforeCut',
    );
    const absent = admittedSingle('a', { there: false, entry: { verdict: LATE } });
    expect(decided({ status, hooks, admitted: [absent], finalizers: [] })).toBe('wait');
  });

  it('after a failure gives verdicts and marks once the thaw is requested, and deletes nothing (SNAP-W5, SNAP-W9)', () => {
    const failure = { reason: 'FreezeLost', message: 'm', at: ago(1) };
    const admitted = [admittedSingle('a', { cut: true })];
    expect(decided({ status: { failure }, admitted })).toBe('deleteHook hook-0');
    const asked = [sampleHook({ terminating: ago(5), status: thawed() })];
    expect(decided({ status: { failure }, hooks: asked, admitted })).toBe('failAdmitted');
    const one = admittedSingle('b', { there: false, entry: { verdict: LATE } });
    expect(decided({ status: { failure }, hooks: asked, admitted: [...admitted, one] })).toBe(
      'failAdmitted',
    );
    const judged = [
      admittedSingle('a', { cut: true, entry: { verdict: { ...LATE, reason: 'FreezeLost' } } }),
    ];
    expect(decided({ status: { failure }, hooks: asked, admitted: judged })).toBe(
      'markVerdicts snapshot:FreezeLost content:FreezeLost',
    );
    const step = decide(windowFacts({ status: { failure }, hooks: asked, admitted: judged }));
    expect(step).toMatchObject({ otherwise: { kind: 'keepEvidence' } });
  });

  it('by its deletion gives verdicts and marks before the finalizer is removed (SNAP-W5, SNAP-W9)', () => {
    const asked = [sampleHook({ terminating: ago(5), status: thawed() })];
    const admitted = [admittedSingle('a', { cut: true })];
    expect(decided({ terminating: true, hooks: asked, admitted })).toBe('failAdmitted');
  });
});
