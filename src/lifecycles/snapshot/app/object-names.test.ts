import { describe, expect, it } from 'vitest';

import { sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { groupSnapshotName, hookName, madeForValue, volumeSnapshotName } from './made-objects.ts';

const named = (name: string) => {
  const snapshot = sampleSnapshot();
  return { ...snapshot, metadata: { ...snapshot.metadata, name } };
};

describe('the names of objects that a snapshot creates', () => {
  it('contain the name of the snapshot and a part of its UID', () => {
    expect(hookName(sampleSnapshot(), 2)).toBe('nightly-aaaaaaaa-hook-2');
    expect(volumeSnapshotName(sampleSnapshot(), 'data', 0)).toBe('nightly-data-aaaaaaaa');
    expect(groupSnapshotName(sampleSnapshot())).toBe('nightly-aaaaaaaa');
  });

  it('are valid for the longest names of snapshot and claim', () => {
    const long = named(`${'a'.repeat(199)}.${'b'.repeat(53)}`);
    const names = [hookName(long, 99), volumeSnapshotName(long, 'c'.repeat(253), 99)];
    for (const name of names) {
      expect(name.length).toBeLessThanOrEqual(253);
      expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
    }
  });

  it('have a label with the snapshot name, or its UID if that is too long', () => {
    expect(madeForValue(sampleSnapshot())).toBe('nightly');
    expect(madeForValue(named('a'.repeat(64)))).toBe('aaaaaaaa-0000');
  });

  it('hold the name of the claim as long as it fits', () => {
    const claim = 'c'.repeat(253 - 'nightly--aaaaaaaa'.length);
    expect(volumeSnapshotName(sampleSnapshot(), claim, 3)).toBe(`nightly-${claim}-aaaaaaaa`);
    expect(volumeSnapshotName(sampleSnapshot(), `${claim}c`, 3)).toBe('nightly-aaaaaaaa-3');
  });

  it('keep dots and dashes inside a name, and none where it is cut', () => {
    expect(hookName(named('night.ly-1'), 0)).toBe('night.ly-1-aaaaaaaa-hook-0');
    const cut = named(`${'a'.repeat(198)}.-bbb`);
    expect(hookName(cut, 0)).toBe(`${'a'.repeat(198)}-aaaaaaaa-hook-0`);
  });

  it('have a label of 63 characters at most', () => {
    expect(madeForValue(named('a'.repeat(63)))).toBe('a'.repeat(63));
  });
});
