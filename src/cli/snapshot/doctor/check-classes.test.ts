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

  it('judges each driver by itself', () => {
    const value = [snapshotClass('a', 'csi-a', true), snapshotClass('b', 'csi-b', true)];
    const found = snapshotClasses({ snapshotClasses: { kind: 'known', value } }, CAPABILITIES);
    expect(found.map(({ result }) => result)).toEqual(['ok', 'ok']);
  });
});
