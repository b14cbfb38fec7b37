import { expect, it } from 'vitest';

import type { FileTails } from '../../platform/file-tails.ts';
import { posixError } from '../../platform/posix-error.ts';
import { GrowingLines } from './follow-node.ts';

const LINES = Array.from({ length: 3 }, (_, index) => String(index).repeat(200_000));

/** A file of several blocks, of which this read and this close fail, counted from 1; 0: none. */
function failing(failures: { readonly read: number; readonly close: number }): FileTails {
  const content = LINES.map((line) => `${line}\n`).join('');
  const done = { reads: 0, closes: 0 };
  const broken = posixError('EIO', 'the disk fails');
  return {
    open: () =>
      Promise.resolve({
        identity: '1:1',
        read: async (offset, maxBytes) => {
          if ((done.reads += 1) === failures.read) throw broken;
          return content.slice(offset, offset + maxBytes);
        },
        close: async () => {
          if ((done.closes += 1) === failures.close) throw broken;
        },
      }),
  };
}

it.each([
  ['a later block could not be read', { read: 2, close: 0 }],
  ['the file could not be closed', { read: 0, close: 1 }],
])('GrowingLines loses no line if %s', async (_, failures) => {
  const lines = new GrowingLines(failing(failures), '/journal');
  await expect(lines.next()).rejects.toThrow('the disk fails');
  expect(await lines.next()).toEqual(LINES);
  expect(await lines.next()).toEqual([]);
});
