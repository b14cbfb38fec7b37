import { describe, expect, test } from 'vitest';

import { posixError } from '../../../platform/posix-error.ts';
import {
  allChanges,
  changesOf,
  Contents,
  presentIn,
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

  test('leave the files of the group that exist', () => {
    const now = snapshot({ web: { '/a': '2', '/x': REMOVED }, api: { '/c': '1' } });
    expect(presentIn(now, 'web')).toEqual(['/a']);
    expect(presentIn(now, 'none')).toEqual([]);
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
    const doubted = withUnknown(before, 'web', new Set(['/b', '/new']));
    expect(changesOf('web', doubted, before)).toEqual({ modified: ['/b'], deleted: ['/new'] });
    expect(changesOf('web', doubted, now).modified).toContain('/new');
  });

  test('marks an unknown file as deleted when it left the group before', () => {
    const group = snapshot({ web: { '/b': '1' } });
    const doubted = withUnknown(group, 'web', new Set(['/a', '/b']));
    expect(changesOf('web', doubted, group)).toEqual({ modified: ['/b'], deleted: ['/a'] });
  });
});

describe('the contents of watched files', () => {
  test.each([
    ['EMFILE', { modified: ['/a'], deleted: [] }],
    ['ENOENT', { modified: [], deleted: ['/a'] }],
  ])('have the right change after a read fails with %s', async (code, changes) => {
    const stat = {
      kind: 'file',
      size: 1,
      mode: 0o644,
      mtimeMs: 1,
      uid: 0,
      gid: 0,
      inode: 1,
    } as const;
    let read = (): Promise<string> => Promise.resolve('x');
    const contents = new Contents({ stat: () => Promise.resolve(stat), read: () => read() });
    const groups = new Map([['web', ['/a']]]);
    await contents.look(['/a'], new Set());
    const first = { groups, digests: contents.digests };
    read = () => Promise.reject(posixError(code, code));
    await contents.look(['/a'], new Set(['/a']));
    expect(changesOf('web', first, { groups, digests: contents.digests })).toEqual(changes);
  });
});
