import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { nodeClock } from '../../platform/clock.ts';
import { nodeFiles } from '../../platform/files.ts';
import { nodeTimers } from '../../platform/timers.ts';
import { procTable } from '../../store/process-table.ts';
import type { ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-store.ts';

const KILLS = 20;
const LATEST_KILL_MS = 150;
const POLL_MS = 10;
/** Of the fixture. */
const WORKERS = 8;
const WRITER = join(import.meta.dirname, '../../../test/fixtures/object-writer.ts');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-killed-store-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Lets a writer work for a moment, kills it, and gives what it had told: into a file, which takes it at once. */
async function writeAndKill(round: number): Promise<string[]> {
  const path = join(folder, `told-${round}`);
  const told = await open(path, 'a');
  const args = ['--import', 'tsx', WRITER, join(folder, 'state'), String(round)];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', told.fd, 'inherit'] });
  const ended = once(writer, 'close');
  while ((await told.stat()).size === 0) await sleep(POLL_MS);
  await sleep(Math.random() * LATEST_KILL_MS);
  writer.kill('SIGKILL');
  await ended;
  await told.close();
  const text = await readFile(path, 'utf8');
  return text.slice(0, text.lastIndexOf('\n')).split('\n');
}

interface Told {
  /** The last revision that was acknowledged; 0: removed, or never there. */
  readonly revision: number;
  /** Another change was under way. */
  readonly open: boolean;
}

function listen(known: Map<string, Told>, lines: readonly string[]): void {
  for (const line of lines) {
    const [name = '', revision = ''] = line.split(' ');
    const before = known.get(name)?.revision ?? 0;
    const isOpen = revision === '?';
    known.set(name, { revision: isOpen ? before : Number(revision), open: isOpen });
  }
}

/** What is not as it was told. */
function lies(store: ObjectStore, known: ReadonlyMap<string, Told>): string[] {
  return [...known].flatMap(([name, { revision, open: isOpen }]) => {
    const found = store.get({ resource: 'things', namespace: '', name })?.revision ?? 0;
    const right = isOpen ? found === 0 || found >= revision : found === revision;
    return right ? [] : [`${name}: told ${revision}, found ${found}`];
  });
}

it(
  'O1: a store that is killed at any moment has every acknowledged write, and no removed object',
  { timeout: 120_000 },
  async () => {
    const known = new Map<string, Told>();
    for (let round = 0; round < KILLS; round += 1) {
      listen(known, await writeAndKill(round));
      const store = await openObjectStore({
        files: nodeFiles,
        folder: join(folder, 'state'),
        processes: procTable(nodeFiles),
        clock: nodeClock,
        timers: nodeTimers,
      });
      expect(lies(store, known)).toEqual([]);
      await store.close();
    }
    expect(known.size).toBe(KILLS * WORKERS);
  },
);
