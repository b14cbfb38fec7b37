import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';

import { outliveOutput } from './output-streams.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: write`), { code });

it.each(['EPIPE', 'EIO'])(
  'a reader of either stream that has exited (%s) is no failure',
  (code) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const lost = outliveOutput(stdout, stderr);
    stdout.emit('error', failure(code));
    stderr.emit('error', failure(code));
    expect(lost()).toBeNull();
  },
);

it('a full disk is reported, and ends no command in the middle', () => {
  const stdout = new PassThrough();
  const lost = outliveOutput(stdout);
  stdout.emit('error', failure('ENOSPC'));
  stdout.emit('error', failure('EBADF'));
  expect(lost()).toBe('ENOSPC: write');
});
