import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { BarStore } from '../../timeline/bar-store.ts';
import { exportTo } from './run-ui.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-ui-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const store = new BarStore({ clock: { nowMs: () => 0 } });
/** A store with one source. */
function storeOf(name: string): BarStore {
  const one = new BarStore({ clock: { nowMs: () => 0 } });
  one.setSource(name, null);
  return one;
}
const running = (): Promise<void> => Promise.resolve();

it('writes no export that is incomplete, because it was interrupted', async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const listed = async (): Promise<void> => {
    stopping.abort();
  };
  const sources = [{ name: 'a', listed, running }];
  const file = join(folder, 'incident.json');
  expect(await exportTo(file, store, { sources, signal })).toBe(130);
  expect(await readdir(folder)).toEqual([]);
});

it('replaces an existing file by one that only this user can read', async () => {
  const { signal } = new AbortController();
  const file = join(folder, 'incident.json');
  await writeFile(file, 'earlier', { mode: 0o644 });
  const before = await stat(file);
  expect(await exportTo(file, storeOf('Zürich'), { sources: [], signal })).toBe(0);
  const after = await stat(file);
  expect(after.mode & 0o777).toBe(0o600);
  expect(after.ino).not.toBe(before.ino);
  expect(await readdir(folder)).toEqual(['incident.json']);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ sources: [{ name: 'Zürich' }] });
});

it('says that an export cannot be written, and why', async () => {
  const { signal } = new AbortController();
  const file = join(folder, 'missing', 'incident.json');
  await expect(exportTo(file, store, { sources: [], signal })).rejects.toThrow(
    /LHG017: The timeline cannot be written to .*incident\.json: ENOENT/,
  );
});
