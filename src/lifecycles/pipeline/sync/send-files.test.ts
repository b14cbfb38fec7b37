import { expect, test } from 'vitest';

import type { ExecPort } from '../../../handlers/exec.ts';
import { sendFiles } from './send-files.ts';

test('sendFiles puts a bounded number of bytes of names into one command', async () => {
  const deletes = ['a', 'b', 'c'].map((letter) => letter.repeat(40_000));
  const bytes: number[] = [];
  const exec: ExecPort = ({ command }) => {
    bytes.push(command.slice(4).join(' ').length);
    return Promise.resolve({ outcome: 'exited', exitCode: 0 });
  };
  const target = { namespace: 'shop', pod: 'web-1', container: 'web' };
  await sendFiles(
    target,
    { archives: [], deletes },
    { exec, signal: new AbortController().signal },
  );
  expect(bytes).toEqual([40_000, 40_000, 40_000]);
});
