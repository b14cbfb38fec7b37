import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { bundleProgram, killPoint, runToItsKill } from '../../../../test/fixtures/dying-program.ts';
import { Random } from '../../../../test/sim/random.ts';
import { nodeFiles } from '../../../../src/platform/files.ts';
import { nodeClock, nodeTimers } from '../../../../src/platform/timers.ts';
import { procTable } from '../../../../src/store/process-table.ts';
import type { ObjectStore } from './object-store.ts';
import { openObjectStore } from './open-store.ts';

const KILLS = 10;
const SEED = 1;

let folder: string;
let program: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-killed-store-'));
  program = await bundleProgram('object-writer', folder);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Reported {
  /** Last revision that was acknowledged; 0 if the object was removed or never existed. */
  readonly revision: number;
  /** True if another change was pending when the process was killed. */
  readonly open: boolean;
}

function listen(known: Map<string, Reported>, lines: readonly string[]): void {
  for (const line of lines) {
    const [name = '', revision = ''] = line.split(' ');
    const before = known.get(name)?.revision ?? 0;
    const isOpen = revision === '?';
    known.set(name, { revision: isOpen ? before : Number(revision), open: isOpen });
  }
}

/** Objects in the store that are not as they were acknowledged. */
function lies(store: ObjectStore, known: ReadonlyMap<string, Reported>): string[] {
  return [...known].flatMap(([name, { revision, open: isOpen }]) => {
    const found = store.get({ resource: 'things', namespace: '', name })?.revision ?? 0;
    const right = isOpen ? found === 0 || found >= revision : found === revision;
    return right ? [] : [`${name}: told ${revision}, found ${found}`];
  });
}

it('CLUS-O1: a store killed at any moment keeps every acknowledged write, and no removed object', async () => {
  const random = new Random(SEED);
  const known = new Map<string, Reported>();
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const point = killPoint(random, kill);
    const printed = await runToItsKill([program, join(folder, 'state'), String(kill)], point);
    const lines = printed.split('\n').filter((line) => line !== '');
    acknowledged += lines.filter((line) => !line.endsWith(' ?')).length;
    listen(known, lines);
    const store = await openObjectStore({
      files: nodeFiles,
      folder: join(folder, 'state'),
      processes: procTable(nodeFiles),
      clock: nodeClock,
      timers: nodeTimers,
    });
    const found = lies(store, known);
    await store.close();
    expect(found, `after kill ${kill}, ${JSON.stringify(point)}`).toEqual([]);
  }
  // Some kills happen before the first write, so the total shows that enough of them happened after many writes.
  expect(acknowledged).toBeGreaterThan(100 * KILLS);
});
