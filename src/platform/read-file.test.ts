import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { readFile } from './read-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-read-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

it.each([0, 1, 524_288, 524_289])('reads a file of %i bytes', async (size) => {
  await writeFile(path, '\u00E4'.repeat(size), 'latin1');
  expect(await readFile(path)).toBe('\u00E4'.repeat(size));
});

it('reads a file without a size', async () => {
  expect(await readFile('/proc/self/status')).toMatch(/^Name:[^]*\nThreads:/u);
});

it('has the path in the error for a directory', async () => {
  await expect(readFile(folder)).rejects.toMatchObject({
    code: 'EISDIR',
    syscall: 'read',
    path: folder,
    message: expect.stringContaining(folder) as string,
  });
});

it('rejects for a file that no string can hold, with its path', async () => {
  await writeFile(path, '');
  await truncate(path, 1024 ** 3);
  await expect(readFile(path)).rejects.toMatchObject({ code: 'EFBIG', syscall: 'read', path });
});

it('rejects at once for a pipe that no process writes to', async () => {
  execFileSync('mkfifo', [path]);
  await expect(readFile(path)).rejects.toMatchObject({
    code: 'ENXIO',
    syscall: 'read',
    path,
  });
});

it('reads a pipe until its writer closes it, however late that writes', async () => {
  execFileSync('mkfifo', [path]);
  const script =
    'exec 3<>"$1"; echo open; read line; echo "a $line" >&3; read line; echo "b $line" >&3';
  const writer = spawn('sh', ['-c', script, 'sh', path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(writer, 'exit');
  await once(writer.stdout, 'data');
  const reading = readFile(path);
  // As many calls of the system as the reader needs until it finds the pipe empty, and some more.
  for (let calls = 0; calls < 20; calls += 1) await stat(path);
  writer.stdin.write('one\n');
  writer.stdin.write('two\n');
  expect(await reading).toBe('a one\nb two\n');
  await exited;
});
