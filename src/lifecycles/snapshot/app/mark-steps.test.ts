/** The marks on the objects of other clients, and the reports about them. */
import { expect, it } from 'vitest';

import {
  ago,
  sampleContent,
  sampleSnapshot,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { admittedSingle, WINDOW } from '../../../../test/fixtures/snapshot/window-facts.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { again } from '../../../controller/reconcile.ts';
import { ApiError } from '../../../kube/api-error.ts';
import { contents, snapshots } from '../../../kube/snapshots.ts';
import type { Acting } from './acting.ts';
import { markContents, markVerdicts } from './mark-steps.ts';
import { MarkTimes } from './mark-times.ts';
import { admittedMarksDue } from './window-marks.ts';

const RETRIED = { kind: 'requeueAfter', ms: 60_000, reason: 'a mark was refused' };
const VERDICT = { value: 'Inconsistent', reason: 'ThawedBeforeCut', message: 'm' } as const;
const WRITTEN = { completedAt: ago(1), phase: 'Completed' } as const;

type Patch = (
  resource: unknown,
  key: { readonly name: string },
  options: { readonly body: { readonly metadata: { readonly uid?: string } } },
) => Promise<unknown>;

function actingOn(patch: Patch, isWindow: boolean) {
  const notes: string[] = [];
  const snapshot = sampleSnapshot(WRITTEN, isWindow ? { window: WINDOW } : {});
  const kinds = { contents: { resource: contents }, snapshots: { resource: snapshots } };
  const context = { recorder: { record: ({ reason }: { reason: string }) => notes.push(reason) } };
  const clock = { ms: 0 };
  const markTimes = new MarkTimes({ nowMs: () => 0, monotonicMs: () => clock.ms });
  const facts = { snapshot };
  const acting = { client: { patch }, caches: { kinds }, context, facts, markTimes };
  return { acting: acting as unknown as Acting, notes, snapshot, clock };
}
/** The answer of Kubernetes to a patch with the UID of an earlier object of the same name. */
const otherUid = new ApiError(422, {
  reason: 'Invalid',
  details: { causes: [{ field: 'metadata.uid', reason: 'FieldValueInvalid' }] },
});
const refused = (): Promise<never> =>
  Promise.reject(failure(403, 'Forbidden', 'no right to write contents'));

it('retries a mark that the server refuses after a pause, and reports it (SNAP-G13)', async () => {
  const { acting, notes } = actingOn(refused, false);
  const object = sampleContent('content-a', { name: 'a', uid: 'uid-a', handle: 'handle-a' });
  const mark = { kind: 'content', object, reason: 'HookGone', isLate: false } as const;
  expect(await markContents(acting, [mark])).toEqual(RETRIED);
  expect(notes).toEqual(['NotMarked']);
});

it('retries a refused verdict for a window alone: any other snapshot has it in its status (SNAP-S7)', async () => {
  const admitted = [admittedSingle('a', { entry: { verdict: VERDICT } })];
  for (const isWindow of [true, false]) {
    const { acting, notes, snapshot } = actingOn(refused, isWindow);
    const outcome = await markVerdicts(acting, admittedMarksDue({ snapshot, admitted }));
    expect(outcome).toEqual(isWindow ? RETRIED : { kind: 'done' });
    expect(notes).toEqual(['NotMarked', 'NotMarked']);
  }
});

it.each([
  ['a quota of annotations', 422, 'Invalid'],
  ['an admission webhook that gives no reason', 400, ''],
])('takes the refusal by %s as that of a missing right (SNAP-S7)', async (_, code, reason) => {
  const admitted = [admittedSingle('a', { entry: { verdict: VERDICT } })];
  const refuse = () => Promise.reject(failure(code, reason, 'no'));
  const { acting, notes, snapshot } = actingOn(refuse, true);
  expect(await markVerdicts(acting, admittedMarksDue({ snapshot, admitted }))).toEqual(RETRIED);
  expect(notes).toEqual(['NotMarked', 'NotMarked']);
});

it('marks no other object that has the name of the judged one by now (SNAP-S7)', async () => {
  const uids = new Map(['snapshot-a', 'content-a'].map((name) => [name, 'of another object']));
  const marked: string[] = [];
  const { acting, notes, snapshot } = actingOn(async (_, { name }, { body }) => {
    const { uid } = body.metadata;
    if (uid === undefined || uid === uids.get(name)) marked.push(name);
    else throw otherUid;
  }, true);
  const admitted = [admittedSingle('a', { entry: { verdict: VERDICT } })];
  const due = admittedMarksDue({ snapshot, admitted });
  expect(due.map(({ kind }) => kind)).toEqual(['snapshot', 'content']);
  expect(await markVerdicts(acting, due)).toEqual({ kind: 'done' });
  const object = sampleContent('content-a', { name: 'a', uid: 'uid-a', handle: 'handle-a' });
  await markContents(acting, [{ kind: 'content', object, reason: 'HookGone', isLate: false }]);
  expect(marked).toEqual([]);
  expect(notes).not.toContain('NotMarked');
});

it('writes the same mark again after 10 s, whoever changes it how often, and another verdict at once (SNAP-S7)', async () => {
  const written: number[] = [];
  const { acting, snapshot, clock } = actingOn(() => {
    written.push(clock.ms);
    return Promise.resolve({});
  }, true);
  const verdict = { ...VERDICT, reason: 'NotCut' } as const;
  const mark = (entry: object) =>
    markVerdicts(
      acting,
      admittedMarksDue({ snapshot, admitted: [admittedSingle('a', { entry })] }),
    );
  expect(await mark({ verdict: VERDICT })).toEqual({ kind: 'done' });
  clock.ms = 3_000;
  expect(await mark({ verdict: VERDICT })).toMatchObject({ kind: 'requeueAfter', ms: 7_000 });
  clock.ms = 4_000;
  expect(await mark({ verdict })).toEqual({ kind: 'done' });
  clock.ms = 14_000;
  expect(await mark({ verdict })).toEqual({ kind: 'done' });
  expect(written).toEqual([0, 0, 4_000, 4_000, 14_000, 14_000]);
});

it('writes the mark of a failed snapshot again after 10 s, and another reason at once (SNAP-S7)', async () => {
  const written: number[] = [];
  const { acting, clock } = actingOn(() => {
    written.push(clock.ms);
    return Promise.resolve({});
  }, false);
  const object = sampleContent('content-a', { name: 'a', uid: 'uid-a', handle: 'handle-a' });
  const mark = (reason: string) =>
    markContents(acting, [{ kind: 'content', object, reason, isLate: false }]);
  expect(await mark('NotCut')).toEqual(again);
  clock.ms = 3_000;
  expect(await mark('NotCut')).toMatchObject({ kind: 'requeueAfter', ms: 7_000 });
  clock.ms = 4_000;
  expect(await mark('LateCut')).toEqual(again);
  clock.ms = 14_000;
  expect(await mark('LateCut')).toEqual(again);
  expect(written).toEqual([0, 4_000, 14_000]);
});

it('reports a verdict on the object of the user once, and not again for a changed evidence (SNAP-S7)', async () => {
  const { acting, notes, snapshot, clock } = actingOn(() => Promise.resolve({}), true);
  const marksOn = (labels: Record<string, string>) =>
    admittedMarksDue({
      snapshot,
      admitted: [admittedSingle('a', { entry: { verdict: VERDICT }, labels })],
    });
  const [first] = marksOn({});
  await markVerdicts(acting, marksOn({}));
  clock.ms = 10_000;
  await markVerdicts(acting, marksOn({ ...first?.marks.labels }));
  expect(notes).toEqual(['Inconsistent']);
});
