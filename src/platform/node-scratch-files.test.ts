import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { nodeScratchFiles as files } from './node-scratch-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'lifehook-scratch-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a scratch file is created once, with its bytes and mode', async () => {
  const path = join(folder, 'a', 'b');
  await files.makeFolder(path, 0o700);
  expect(modeOf(path)).toBe(0o700);
  await files.create(join(path, 'f'), 'gr\u00F6\u00DFer', 0o600);
  expect(readFileSync(join(path, 'f'), 'latin1')).toBe('gr\u00F6\u00DFer');
  expect(modeOf(join(path, 'f'))).toBe(0o600);
  await expect(files.create(join(path, 'f'), '', 0o600)).rejects.toMatchObject({ code: 'EEXIST' });
});

test('a scratch file is replaced atomically', async () => {
  const path = join(folder, 'whole');
  await files.replace(path, 'one', { mode: 0o600 });
  await files.replace(path, 'two', { mode: 0o644 });
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(modeOf(path)).toBe(0o644);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a directory is removed recursively, and removing a missing one is no error', async () => {
  const path = join(folder, 'deep');
  await files.makeFolder(join(path, 'below'), 0o700);
  await files.create(join(path, 'f'), '', 0o600);
  await files.remove(path);
  await files.remove(path);
  expect(readdirSync(folder)).not.toContain('deep');
  await files.makeFolder(path, 0o700);
  for (let i = 0; i < 20; i += 1) await files.create(join(path, String(i)), '', 0o600);
  await files.remove(path);
  expect(readdirSync(folder)).not.toContain('deep');
});
