import { describe, expect, test } from 'vitest';

import {
  allChanges,
  changesOf,
  REMOVED,
  type Snapshot,
  withFilesOf,
  withUnknown,
} from './snapshot.ts';

function snapshot(groups: Readonly<Record<string, Readonly<Record<string, string>>>>): Snapshot {
  const all = Object.values(groups);
  return {
    groups: new Map(Object.entries(groups).map(([key, files]) => [key, Object.keys(files)])),
    digests: new Map(all.flatMap((files) => Object.entries(files))),
  };
}

const before = snapshot({ web: { '/a': '1', '/b': '1' }, api: { '/c': '1' } });

describe('changes between two snapshots', () => {
  test('are listed by group, with new files and files that left the group', () => {
    const now = snapshot({ web: { '/a': '2', '/new': '1' }, api: { '/c': REMOVED } });
    expect(changesOf('web', before, now)).toEqual({ modified: ['/a', '/new'], deleted: ['/b'] });
    expect(changesOf('api', before, now)).toEqual({ modified: [], deleted: ['/c'] });
    expect(allChanges(before, now)).toEqual(['/a', '/b', '/c', '/new']);
  });

  test('are all files when there is no earlier snapshot', () => {
    expect(changesOf('api', null, before)).toEqual({ modified: ['/c'], deleted: [] });
  });

  test('exclude a file that was created and deleted in between', () => {
    const now = snapshot({ web: { '/a': '1', '/b': '1', '/x': REMOVED }, api: { '/c': '1' } });
    expect(allChanges(before, now)).toEqual([]);
  });
});

describe('a snapshot', () => {
  const now = snapshot({ web: { '/a': '2', '/b': '1', '/new': '1' }, api: { '/c': '2' } });

  test('takes over single files of a later one, also new files', () => {
    const mixed = withFilesOf(before, new Set(['/a', '/new']), now);
    expect(allChanges(mixed, now)).toEqual(['/c']);
    expect(allChanges(before, now)).toEqual(['/a', '/c', '/new']);
  });

  test('marks unknown files as changed, whether they exist or were deleted', () => {
    const doubted = withUnknown(before, new Set(['/b', '/new']), now);
    expect(changesOf('web', doubted, before)).toEqual({ modified: ['/b'], deleted: ['/new'] });
    expect(changesOf('web', doubted, now).modified).toContain('/new');
  });
});
