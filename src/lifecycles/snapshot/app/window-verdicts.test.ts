import { describe, expect, it } from 'vitest';

import { ago, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { sampleEntry } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import {
  admittedGroup,
  admittedSingle,
  windowFacts,
} from '../../../../test/fixtures/snapshot/window-facts.ts';
import { storedTextBytes } from '../../../kube/stored-size.ts';
import type { AdmittedOutcome, ApplicationSnapshotStatus } from '../kinds.ts';
import type { AdmittedFacts } from './admitted-facts.ts';
import { failAdmitted, judgeAdmitted, worstOf } from './window-verdicts.ts';

const hook = {
  name: 'hook-0',
  preActionSucceed: true,
  releaseCause: 'Cut' as const,
  targets: [{ podName: 'db-0', identity: 'Same' } as never],
};
const thawed = { cutObservedAt: ago(1), closedAt: ago(1), hooks: [hook] };

function verdictsOf(
  admitted: readonly AdmittedFacts[],
  status: ApplicationSnapshotStatus = thawed,
): readonly string[] {
  const { snapshot } = windowFacts({ admitted, status });
  return judgeAdmitted(snapshot, admitted, ago(0)).map(
    ({ verdict }) => `${verdict?.value ?? ''} ${verdict?.reason ?? ''}`,
  );
}

const single = (
  uid: string,
  outcome: AdmittedOutcome,
  more: Parameters<typeof admittedSingle>[1] = {},
): AdmittedFacts => admittedSingle(uid, { cut: outcome === 'Cut', ...more, entry: { outcome } });

describe('the verdict on an admitted object', () => {
  it('is its own: a failed neighbour changes nothing (SNAP-W3)', () => {
    const all = [
      single('a', 'Cut'),
      single('b', 'NotCut'),
      single('c', 'NotCreated', { there: false }),
      single('d', 'Deleted'),
      single('e', 'WrongVolume'),
    ];
    expect(verdictsOf(all)).toEqual([
      'ApplicationConsistent FrozenAtCut',
      'Inconsistent ThawedBeforeCut',
      'Inconsistent ThawedBeforeCut',
      'Inconsistent SnapshotDeleted',
      'Inconsistent WrongVolume',
    ]);
  });

  it('is never consistent by a cut that was seen after the close (SNAP-W3, SNAP-W5)', () => {
    const late = admittedSingle('a', { cut: true, entry: { outcome: 'NotCut' } });
    const unknown = admittedSingle('b', { cut: true });
    expect(verdictsOf([late, unknown])).toEqual([
      'Inconsistent ThawedBeforeCut',
      'Inconsistent ThawedBeforeCut',
    ]);
  });

  it('says why it is worthless, also for one that never appears (SNAP-W3)', () => {
    const messageOf = (facts: AdmittedFacts): string | undefined => {
      const { snapshot } = windowFacts({ admitted: [facts], status: thawed });
      return judgeAdmitted(snapshot, [facts], ago(0))[0]?.verdict?.message;
    };
    expect(messageOf(single('a', 'NotCreated', { there: false }))).toBe(
      'it did not exist 5 s after its admission, and the application was thawed',
    );
    expect(messageOf(single('a', 'Cut', { there: false }))).toBe(
      'the VolumeSnapshot was deleted before its verdict',
    );
  });

  it('without hooks is that of a copy of one moment (SNAP-W3)', () => {
    const bare = { ...thawed, hooks: [], executionHookNames: [] };
    const whole = admittedGroup(
      'g',
      { handles: ['handle-data', 'handle-wal'] },
      { outcome: 'Cut' },
    );
    expect(verdictsOf([single('a', 'Cut'), whole], bare)).toEqual([
      'CrashConsistent AtomicCut',
      'CrashConsistent GroupCut',
    ]);
    const volumes = [sampleVolume('data', { inUse: false })];
    expect(verdictsOf([single('a', 'Cut')], { ...bare, volumes })).toEqual([
      'CrashConsistent NotInUse',
    ]);
  });

  it('follows the common freeze (SNAP-W3)', () => {
    const finding = { value: 'Unknown', reason: 'TargetChanged', message: 'm' } as const;
    expect(verdictsOf([single('a', 'Cut')], { ...thawed, hooks: [{ ...hook, finding }] })).toEqual([
      'Unknown TargetChanged',
    ]);
    expect(verdictsOf([single('a', 'Cut')], { ...thawed, hooks: [] })).toEqual([
      'Unknown EvidenceMissing',
    ]);
  });

  it('is Inconsistent for a copy of different moments, and for one that is deleted with its content (SNAP-W3)', () => {
    const copied = single('a', 'Cut', { annotations: { 'lifehook.dev/atomic': 'false' } });
    const deleted = single('b', 'Cut', { terminating: true });
    const spec = { ...deleted.content?.spec, deletionPolicy: 'Delete' };
    const withContent = { ...deleted, content: { ...deleted.content, spec } } as AdmittedFacts;
    expect(verdictsOf([copied, withContent])).toEqual([
      'Inconsistent NotAtomic',
      'Inconsistent SnapshotDeleted',
    ]);
  });

  it('stays that of a content which outlives its snapshot (SNAP-W3)', () => {
    const deleted = single('a', 'Cut', { terminating: true });
    const { content } = deleted;
    if (content === null) throw new Error('it has a content');
    const spec = { ...content.spec, deletionPolicy: 'Retain' as const };
    const retained = { ...content, spec };
    const metadata = { ...content.metadata, deletionTimestamp: ago(1) };
    const deletedToo = { ...retained, metadata };
    const kept = (object: typeof retained): AdmittedFacts =>
      ({ ...deleted, content: object }) as AdmittedFacts;
    expect(
      verdictsOf([kept(retained), { ...kept(retained), object: null }, kept(deletedToo)]),
    ).toEqual([
      'ApplicationConsistent FrozenAtCut',
      'ApplicationConsistent FrozenAtCut',
      'Inconsistent SnapshotDeleted',
    ]);
  });

  it('of a group needs the volumes of all its claims (SNAP-W3)', () => {
    const group = (handles: string[]): AdmittedFacts =>
      admittedGroup('g', { handles }, { outcome: 'Cut' });
    expect(verdictsOf([group(['handle-data', 'handle-wal'])])).toEqual([
      'ApplicationConsistent FrozenAtCut',
    ]);
    expect(verdictsOf([group(['handle-data'])])).toEqual(['Inconsistent VolumeMissing']);
    const lost = { ...group([]), content: null } as AdmittedFacts;
    expect(verdictsOf([lost])).toEqual(['Inconsistent VolumeMissing']);
  });

  it('that is set never changes', () => {
    const verdict = { value: 'CrashConsistent', reason: 'NotFrozen', message: 'm' } as const;
    const entry = { outcome: 'Cut', verdict } as const;
    expect(verdictsOf([admittedSingle('a', { cut: true, entry })])).toEqual([
      'CrashConsistent NotFrozen',
    ]);
    const failed = failAdmitted([sampleEntry('a', entry), sampleEntry('b')], {
      reason: 'FreezeLost',
      message: 'x'.repeat(600),
    });
    expect(failed.map((each) => each.verdict?.reason)).toEqual(['NotFrozen', 'FreezeLost']);
    expect(failed[1]?.verdict).toMatchObject({ value: 'Inconsistent', message: 'x'.repeat(512) });
  });

  it.each(['<', '日', 'x😀'])(
    'has a message that takes at most 512 bytes as stored, of whole characters: %s',
    (text) => {
      const failure = { reason: 'FreezeLost', message: text.repeat(600) };
      const [failed] = failAdmitted([sampleEntry('a')], failure);
      const { message = '' } = failed?.verdict ?? {};
      expect(Buffer.from(message).toString()).toBe(message);
      expect(storedTextBytes(message)).toBeLessThanOrEqual(512);
      expect(storedTextBytes(message)).toBeGreaterThan(500);
    },
  );
});

describe('the verdict on a window', () => {
  const entry = (value: 'ApplicationConsistent' | 'CrashConsistent' | 'Inconsistent' | 'Unknown') =>
    sampleEntry(value, { verdict: { value, reason: 'R', message: 'm' } });

  it('is the worst of its objects', () => {
    const [good, crash, bad, unknown] = [
      entry('ApplicationConsistent'),
      entry('CrashConsistent'),
      entry('Inconsistent'),
      entry('Unknown'),
    ];
    expect(worstOf([good, good])).toEqual({
      value: 'ApplicationConsistent',
      reason: 'FrozenAtCut',
      message: '2 snapshots were cut while the application was frozen',
    });
    expect(worstOf([good]).message).toBe('1 snapshot was cut while the application was frozen');
    expect(worstOf([good, crash]).value).toBe('CrashConsistent');
    expect(worstOf([good, unknown, crash]).value).toBe('Unknown');
    expect(worstOf([good, unknown, bad, bad])).toMatchObject({
      value: 'Inconsistent',
      message: 'm (2 of 4 snapshots)',
    });
    expect(worstOf([bad]).message).toBe('m');
  });
});
