/** The verdict on a VolumeSnapshot and on its content, as a restore reads it. */
import { expect, it } from 'vitest';

import { ago, sampleSnapshot, sampleTarget } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { HookEvidence, ApplicationSnapshotStatus } from '../kinds.ts';
import { VERDICT, VERDICT_EVIDENCE, VERDICT_REASON } from '../names.ts';
import { EVIDENCE_CHARACTERS_MAX, evidenceText, verdictMarks } from './verdict-marks.ts';

const verdict = {
  value: 'ApplicationConsistent',
  reason: 'FrozenAtCut',
  message: '1 containers were frozen',
  decidedAt: ago(0),
} as const;
const probe = { when: 'AfterCut', at: ago(1), outcome: 'Frozen' } as const;
const hook = (targets: number, name = 'hook-0'): HookEvidence => ({
  name,
  targets: Array.from({ length: targets }, () => ({
    ...sampleTarget({ thawedBy: 'post', probes: [probe] }),
    identity: 'Same',
  })),
});
const cut = { cutRequestedAt: ago(2), cutObservedAt: ago(1) };
const reported = (status: ApplicationSnapshotStatus): unknown =>
  JSON.parse(evidenceText(sampleSnapshot(status), verdict));

it('has labels to select by, and the evidence next to them', () => {
  const snapshot = sampleSnapshot({ ...cut, hooks: [hook(1)] });
  expect(verdictMarks(snapshot, verdict)).toEqual({
    labels: { [VERDICT]: 'ApplicationConsistent', [VERDICT_REASON]: 'FrozenAtCut' },
    annotations: { [VERDICT_EVIDENCE]: evidenceText(snapshot, verdict) },
  });
});

it('is the same text in whatever order the server returns the fields of the status (SNAP-S7)', () => {
  const { message, ...others } = verdict;
  const [one] = [hook(1)];
  const { targets, ...names } = one;
  const read = { ...cut, hooks: [{ targets, ...names, postActionSucceed: true }] };
  const written = { ...cut, hooks: [{ ...names, postActionSucceed: true, targets }] };
  expect(evidenceText(sampleSnapshot(read), { message, ...others })).toBe(
    evidenceText(sampleSnapshot(written), verdict),
  );
});

it('names the snapshot, the cut, and of each container who it is and what its probe answered', () => {
  expect(reported({ ...cut, hooks: [hook(1)] })).toEqual({
    applicationSnapshot: 'shop/nightly',
    uid: 'aaaaaaaa-0000',
    ...verdict,
    ...cut,
    hooks: [
      {
        name: 'hook-0',
        targets: [
          {
            pod: 'db-0',
            container: 'db',
            podUID: 'pod-1',
            containerID: 'c-1',
            restartCount: 0,
            identity: 'Same',
            thawedBy: 'post',
            probes: ['AfterCut: Frozen'],
          },
        ],
        targetsLeftOut: 0,
      },
    ],
  });
});

it('leaves out the containers of all hooks, before it leaves out the hooks', () => {
  const hooks = Array.from({ length: 80 }, (_, at) => hook(3, `${'h'.repeat(100)}-${at}`));
  const text = evidenceText(sampleSnapshot({ ...cut, hooks }), verdict);
  expect(text.length).toBeLessThanOrEqual(EVIDENCE_CHARACTERS_MAX);
  const [first] = (JSON.parse(text) as { hooks: object[] }).hooks;
  expect(first).toEqual({ name: `${'h'.repeat(100)}-0`, targets: [], targetsLeftOut: 3 });
});

it('has the verdict and the cut alone, where even the names of the hooks do not fit', () => {
  const hooks = Array.from({ length: 100 }, (_, at) => hook(0, `${'h'.repeat(200)}-${at}`));
  expect(reported({ ...cut, hooks })).toEqual({ uid: 'aaaaaaaa-0000', ...verdict, ...cut });
});

it('has no hooks where the snapshot had none (SNAP-R27)', () => {
  expect(reported(cut)).toMatchObject({ applicationSnapshot: 'shop/nightly', hooks: [] });
});

/** The evidence of these hooks, with a message that makes the whole text `characters` long. */
function evidenceOfLength(characters: number, hooks: HookEvidence[]): HookEvidence[] | undefined {
  const snapshot = sampleSnapshot({ ...cut, hooks });
  const rest = evidenceText(snapshot, { ...verdict, message: '' }).length;
  const message = 'm'.repeat(characters - rest);
  const text = evidenceText(snapshot, { ...verdict, message });
  return (JSON.parse(text) as { hooks?: HookEvidence[] }).hooks;
}

it('leaves out no container of evidence that just fits, and one of evidence that does not', () => {
  const whole = evidenceOfLength(EVIDENCE_CHARACTERS_MAX, [hook(2)]);
  expect(whole).toMatchObject([{ targets: [{}, {}], targetsLeftOut: 0 }]);
  const tooLong = evidenceOfLength(EVIDENCE_CHARACTERS_MAX + 1, [hook(2)]);
  expect(tooLong).toMatchObject([{ targets: [{}], targetsLeftOut: 1 }]);
});

it('leaves out no hook of evidence that just fits, and all of evidence that does not', () => {
  expect(evidenceOfLength(EVIDENCE_CHARACTERS_MAX, [hook(0)])).toHaveLength(1);
  expect(evidenceOfLength(EVIDENCE_CHARACTERS_MAX + 1, [hook(0)])).toBeUndefined();
});
