/**
 * The marks on the VolumeSnapshotContents of a failed snapshot, so that no restore trusts them (SNAP-G13, SNAP-I12).
 */
import { expect, it } from 'vitest';

import {
  sampleContent,
  sampleFacts,
  sampleVolume,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { VolumeGroupSnapshotContent } from '../../../kube/snapshots.ts';
import { VERDICT, VERDICT_REASON } from '../names.ts';
import { type Mark, marksDue } from './late-cuts.ts';

const content = (labels: Record<string, string> | undefined, isCut: boolean) => {
  const made = sampleContent('content-data', { name: 'nightly-data', uid: 'vs', handle: 'h' });
  return {
    ...made,
    metadata: { ...made.metadata, ...(labels === undefined ? {} : { labels }) },
    ...(isCut ? { status: { creationTime: 1 } } : {}),
  };
};
const marks = (labels: Record<string, string> | undefined, isCut: boolean): unknown[] =>
  marksDue(
    {
      ...sampleFacts(),
      volumes: [{ ...volumeFacts(sampleVolume('data'), null), content: content(labels, isCut) }],
    },
    'HookGone',
  ).map(({ kind, reason, isLate }: Mark) => [kind, reason, isLate]);

const marked = (value: string, reason: string) => ({ [VERDICT]: value, [VERDICT_REASON]: reason });

it('name the failure where the volume was cut, and NotCut where it was not', () => {
  expect(marks(undefined, true)).toEqual([['content', 'HookGone', false]]);
  expect(marks(undefined, false)).toEqual([['content', 'NotCut', false]]);
});

it('are not written twice', () => {
  expect(marks(marked('Inconsistent', 'HookGone'), true)).toEqual([]);
  expect(marks(marked('Inconsistent', 'NotCut'), false)).toEqual([]);
  expect(marks(marked('Inconsistent', 'LateCut'), true)).toEqual([]);
});

it('restore a reason that another client has changed (SNAP-S7)', () => {
  const changed = marked('Inconsistent', 'Tested');
  expect(marks(changed, true)).toEqual([['content', 'HookGone', false]]);
  expect(marks(changed, false)).toEqual([['content', 'NotCut', false]]);
  expect(marks({ [VERDICT]: 'Inconsistent' }, false)).toEqual([['content', 'NotCut', false]]);
});

it('replace NotCut by LateCut where the cut comes late', () => {
  expect(marks(marked('Inconsistent', 'NotCut'), true)).toEqual([['content', 'LateCut', true]]);
});

it('replace a verdict that says that the content can be trusted', () => {
  expect(marks(marked('CrashConsistent', 'NotCut'), true)).toEqual([
    ['content', 'HookGone', false],
  ]);
});

it('are on the content of a group, and on those of its members', () => {
  const groupContent: VolumeGroupSnapshotContent = {
    metadata: { name: 'gc' },
    spec: {
      volumeGroupSnapshotRef: { uid: 'group-1' },
      deletionPolicy: 'Retain',
      driver: 'fast.example',
      source: {},
    },
  };
  const volumes = [{ ...volumeFacts(sampleVolume('data'), null), content: content({}, true) }];
  const group = { snapshot: null, content: groupContent };
  const found = marksDue({ ...sampleFacts(), volumes, group }, 'HookGone');
  expect(found.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
    'groupContent NotCut',
    'content HookGone',
  ]);
  const none = marksDue(
    { ...sampleFacts(), volumes: [], group: { snapshot: null, content: null } },
    'HookGone',
  );
  expect(none).toEqual([]);
});
