import { expect, onTestFinished, test } from 'vitest';

import { buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { Files } from '../../../platform/platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import { walkFiles } from './walk-files.ts';

/** Walks a directory with the files "a/x" and "b". */
function walkWith(change: (files: Files) => Partial<Files>): Promise<string[]> {
  const s = buildStand();
  onTestFinished(s.remove);
  s.write('a/x', 'one');
  s.write('b', 'one');
  const { files } = s.session.platform;
  return walkFiles(s.folder, { files: { ...files, ...change(files) } });
}

const failing =
  <T>(call: (path: string) => Promise<T>, { code, at }: { code: string; at: string }) =>
  (path: string): Promise<T> =>
    path.endsWith(at) ? Promise.reject(posixError(code, code)) : call(path);

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'])(
  'walkFiles rejects instead of omitting files when the system refuses with %s',
  async (code) => {
    const refused = new RegExp(`LHL306: .*${code}`, 'u');
    const atList = walkWith((files) => ({
      list: failing((path) => files.list(path), { code, at: '/a' }),
    }));
    await expect(atList).rejects.toThrow(refused);
    const atStat = walkWith((files) => ({
      stat: failing((path) => files.stat(path), { code, at: '/b' }),
    }));
    await expect(atStat).rejects.toThrow(refused);
    const atPath = walkWith((files) => ({
      realPath: failing((path) => files.realPath(path), { code, at: '/a' }),
    }));
    await expect(atPath).rejects.toThrow(refused);
  },
);

test.each(['ENOENT', 'EACCES'])('walkFiles omits a directory that gives %s', async (code) => {
  const found = walkWith((files) => ({
    list: failing((path) => files.list(path), { code, at: '/a' }),
  }));
  expect(await found).toEqual(['b']);
});
