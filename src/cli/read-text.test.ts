import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { readDocuments } from '../model/located-document.ts';
import { readFileText, readText } from './read-text.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-text-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('reads a whole file', async () => {
  const path = join(folder, 'a.yaml');
  await writeFile(path, '\uFEFFa: ä\r\n');
  expect(await readText(path)).toBe('\uFEFFa: ä\r\n');
});

it('reads a file of any size, of which no string could be made', async () => {
  const path = join(folder, 'a.yaml');
  await writeFile(path, '');
  await truncate(path, 3 * 1024 ** 3);
  const { problems } = readDocuments(path, await readText(path));
  expect(problems).toMatchObject([{ code: 'LHG031' }]);
});

it('names a directory in the error', async () => {
  await expect(readText(folder)).rejects.toMatchObject({ code: 'EISDIR', path: folder });
});

it('rejects with the path if the file does not exist', async () => {
  await expect(readText(join(folder, 'b'))).rejects.toMatchObject({
    code: 'ENOENT',
    path: join(folder, 'b'),
    syscall: 'open',
  });
});

it('refuses a pipe and a directory where a regular file is required, without waiting', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(readFileText(pipe)).rejects.toMatchObject({
    problems: [
      {
        code: 'LHM021',
        at: { file: pipe, line: 1, column: 1 },
        message: `${pipe} must be a regular file, but is a pipe.`,
      },
    ],
  });
  await expect(readFileText(folder)).rejects.toThrow('must be a regular file, but is a directory.');
  await expect(readFileText('/dev/null')).rejects.toThrow('but is a device.');
});

it('reads a regular file where one is required', async () => {
  await writeFile(join(folder, 'a'), 'text');
  expect(await readFileText(join(folder, 'a'))).toBe('text');
});
