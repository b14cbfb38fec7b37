import { describe, expect, it } from 'vitest';

import { snapshotClass } from '../../../../test/fixtures/doctor-facts.ts';
import { snapshotClasses, snapshotKinds } from './check-classes.ts';

const CAPABILITIES = { volumeSnapshot: 'v1', volumeGroupSnapshot: null };

describe('the check of the snapshot kinds', () => {
  it('warns where there are none, and of no classes then', () => {
    const capabilities = { volumeSnapshot: null, volumeGroupSnapshot: null };
    expect(snapshotKinds(capabilities)).toMatchObject([{ result: 'warning' }]);
    expect(snapshotClasses({ snapshotClasses: { kind: 'absent' } }, capabilities)).toEqual([]);
  });

  it('names the versions of VolumeGroupSnapshot if none of them is served', () => {
    expect(snapshotKinds(CAPABILITIES)).toMatchObject([
      {
        found:
          'VolumeSnapshot v1; no VolumeGroupSnapshot in v1, v1beta2, v1beta1, so no `mode: Group`',
      },
    ]);
  });

  it.each([
    [[], 'there is no VolumeSnapshotClass'],
    [[false], 'none is the default'],
    [[true, true], '2 are the default'],
  ])('warns of classes whose defaults are %j', (defaults, text) => {
    const value = defaults.map((one, index) => snapshotClass(`c${index}`, 'csi', one));
    const found = snapshotClasses({ snapshotClasses: { kind: 'known', value } }, CAPABILITIES);
    expect(found).toMatchObject([{ result: 'warning' }]);
    expect(found[0]?.found).toContain(text);
  });

  it('says that a missing VolumeGroupSnapshotClass prevents only group snapshots', () => {
    const classes = [snapshotClass('a', 'csi-a', true)];
    const facts = {
      snapshotClasses: { kind: 'known', value: classes },
      groupClasses: { kind: 'known', value: [] },
    } as const;
    expect(snapshotClasses(facts, CAPABILITIES)[1]).toEqual({
      check: 'snapshot classes',
      result: 'warning',
      found: 'there is no VolumeGroupSnapshotClass',
      next: 'To use `mode: Group`, create a VolumeGroupSnapshotClass for the driver of your volumes.',
    });
  });

  it('judges each driver by itself', () => {
    const value = [snapshotClass('a', 'csi-a', true), snapshotClass('b', 'csi-b', true)];
    const found = snapshotClasses({ snapshotClasses: { kind: 'known', value } }, CAPABILITIES);
    expect(found.map(({ result }) => result)).toEqual(['ok', 'ok']);
  });
});
