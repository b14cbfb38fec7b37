import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { leaveTimeline } from './run-demo.ts';

let folder: string;
let from: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leave-timeline-'));
  from = join(folder, 'exported');
  await writeFile(from, 'the page');
});

afterEach(() => rm(folder, { recursive: true }));

test('leaveTimeline copies the page into the directory', async () => {
  const path = await leaveTimeline(from, folder);
  expect(path).toBe(join(folder, 'timeline.html'));
  expect(await readFile(path, 'utf8')).toBe('the page');
});

test('leaveTimeline never overwrites a file, and copies into a new directory instead', async () => {
  const owned = join(folder, 'timeline.html');
  await writeFile(owned, "the user's own");
  const path = await leaveTimeline(from, folder);
  expect(await readFile(owned, 'utf8')).toBe("the user's own");
  expect(await readFile(path, 'utf8')).toBe('the page');
  await rm(dirname(path), { recursive: true });
});

test('leaveTimeline copies into a new directory when the directory does not exist', async () => {
  const path = await leaveTimeline(from, join(folder, 'missing'));
  expect(await readFile(path, 'utf8')).toBe('the page');
  await rm(dirname(path), { recursive: true });
});
