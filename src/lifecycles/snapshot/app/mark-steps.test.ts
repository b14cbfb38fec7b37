/** What is written on the objects of other clients, and what is reported of it. */
import { expect, it } from 'vitest';

import {
  ago,
  sampleContent,
  sampleSnapshot,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { admittedSingle, WINDOW } from '../../../../test/fixtures/snapshot/window-facts.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { contents, snapshots } from '../../../kube/snapshots.ts';
import type { Acting } from './acting.ts';
import { markContents, markVerdicts } from './mark-steps.ts';
import { admittedMarksDue } from './window-marks.ts';

const RETRIED = { kind: 'requeueAfter', ms: 60_000, reason: 'a mark was refused' };
const VERDICT = { value: 'Inconsistent', reason: 'ThawedBeforeCut', message: 'm' } as const;
const WRITTEN = { completedAt: ago(1), phase: 'Completed' } as const;

function actingOn(patch: () => Promise<unknown>, isWindow: boolean) {
  const notes: string[] = [];
  const snapshot = sampleSnapshot(WRITTEN, isWindow ? { window: WINDOW } : {});
  const kinds = { contents: { resource: contents }, snapshots: { resource: snapshots } };
  const context = { recorder: { record: ({ reason }: { reason: string }) => notes.push(reason) } };
  const acting = { client: { patch }, caches: { kinds }, context, facts: { snapshot } };
  return { acting: acting as unknown as Acting, notes, snapshot };
}
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

it('reports a verdict on the object of the user once, and not again for a changed evidence (SNAP-S7)', async () => {
  const { acting, notes, snapshot } = actingOn(() => Promise.resolve({}), true);
  const marksOn = (labels: Record<string, string>) =>
    admittedMarksDue({
      snapshot,
      admitted: [admittedSingle('a', { entry: { verdict: VERDICT }, labels })],
    });
  const [first] = marksOn({});
  await markVerdicts(acting, marksOn({}));
  await markVerdicts(acting, marksOn({ ...first?.marks.labels }));
  expect(notes).toEqual(['Inconsistent']);
});
