import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { compile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import type { Problem } from '../../../model/problem.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { nodeFingerprints } from '../../../platform/node-fingerprint.ts';
import type { Timers } from '../../../platform/platform.ts';
import type { LoadedSet } from './resolve.ts';
import { HookWatch, POLL_INTERVAL_MS, SETTLE_MAX_MS, SETTLE_MS } from './watch.ts';

/** Time that passes only when a test advances it: each turn runs the pending timer and waits for the next one. */
class HandTimers implements Timers {
  waits: number[] = [];
  #armed: { ms: number; callback: () => void } | undefined;
  #onArmed: () => void = () => {};

  after(ms: number, callback: () => void): () => void {
    this.#armed = { ms, callback };
    this.#onArmed();
    return () => {
      this.#armed = undefined;
    };
  }

  get armed(): boolean {
    return this.#armed !== undefined;
  }

  async turn(): Promise<void> {
    const armed = this.#armed;
    if (armed === undefined) throw new Error('nothing waits');
    this.waits.push(armed.ms);
    const next = new Promise<void>((resolve) => (this.#onArmed = resolve));
    armed.callback();
    await next;
  }
}

let root: string;
let vendor: string;
let admin: string;
let timers: HandTimers;
let watch: HookWatch;
let reloads: LoadedSet[];
let alarms: Problem[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lifehook-watch-'));
  [vendor, admin] = [join(root, 'vendor'), join(root, 'admin')];
  for (const folder of [vendor, admin]) await mkdir(folder, { mode: 0o755 });
  [timers, reloads, alarms] = [new HandTimers(), [], []];
});

afterEach(async () => {
  watch.stop();
  await rm(root, { recursive: true });
});

async function start(): Promise<void> {
  const owners = [0, process.getuid?.() ?? 0];
  watch = await HookWatch.start({
    scan: { files: nodeFiles, compile, folders: [vendor, admin], owners, allowUntrusted: false },
    fingerprints: nodeFingerprints,
    timers,
    onReload: (set) => reloads.push(set),
    onAlarm: (problems) => alarms.push(...problems),
  });
}

/** The number of checks until a change is loaded: one that sees the change, and one that sees no further change. */
async function settle(): Promise<void> {
  await timers.turn();
  await timers.turn();
}

async function put(folder: string, name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content, { mode: 0o644 });
}

/** Marks of different lengths make files of different sizes: a change is seen even within a clock tick. */
function hook(mark: string, path = '/bin/true'): string {
  return JSON.stringify(version1({ always: true }, { hook: { path, args: ['true', mark] } }));
}

function inForce(): (string | undefined)[] {
  return watch.current.active.map((file) => file.hook.args?.[1]);
}

test('a file is loaded when it is created, changed and removed', async () => {
  await start();
  expect(inForce()).toEqual([]);
  await put(vendor, 'a.json', hook('1'));
  await settle();
  expect(inForce()).toEqual(['1']);
  await put(vendor, 'a.json', hook('22'));
  await settle();
  expect(inForce()).toEqual(['22']);
  await rm(join(vendor, 'a.json'));
  await settle();
  expect(inForce()).toEqual([]);
  expect([reloads.length, alarms]).toEqual([3, []]);
});

test('nothing is loaded while nothing changes, and no timer is armed after stop', async () => {
  await put(vendor, 'a.json', hook('1'));
  await start();
  await settle();
  await settle();
  expect(reloads).toEqual([]);
  expect(timers.waits).toEqual(Array(4).fill(POLL_INTERVAL_MS));
  watch.stop();
  expect(timers.armed).toBe(false);
});

test('a change is loaded once no further change follows within the settle time', async () => {
  await start();
  await put(vendor, 'a.json', hook('1'));
  await timers.turn();
  await put(vendor, 'b.json', hook('22'));
  await timers.turn();
  expect(inForce()).toEqual([]);
  await timers.turn();
  expect(inForce()).toEqual(['1', '22']);
  expect(reloads).toHaveLength(1);
  expect(timers.waits).toEqual([POLL_INTERVAL_MS, SETTLE_MS, SETTLE_MS]);
});

test('directories that never settle are loaded after the longest settle time', async () => {
  await start();
  const looks = 2 + SETTLE_MAX_MS / SETTLE_MS;
  for (let look = 0; look < looks; look += 1) {
    await put(vendor, `${look}.json`, hook(`${look}`));
    await timers.turn();
  }
  expect(reloads).toHaveLength(1);
});

test('OCI-CASE19: a file that becomes invalid keeps its last valid hook active, with one alarm', async () => {
  await put(vendor, 'a.json', hook('vendor'));
  await put(admin, 'a.json', hook('admin'));
  await start();
  await put(admin, 'a.json', '{"version": "-1"}');
  await settle();
  expect(inForce()).toEqual(['admin']);
  expect(alarms).toMatchObject([{ code: 'LHC103', at: { file: join(admin, 'a.json') } }]);
  expect(watch.current.entries[0]).toMatchObject({ state: 'kept', folder: admin });
  await put(vendor, 'b.json', hook('b'));
  await settle();
  expect(inForce()).toEqual(['admin', 'b']);
  expect(alarms).toHaveLength(1);
});

test('OCI-CASE19: an override that was never valid leaves the file below it active, with an alarm', async () => {
  await put(vendor, 'a.json', hook('vendor'));
  await start();
  await put(admin, 'a.json', '{');
  await settle();
  expect(inForce()).toEqual(['vendor']);
  expect(alarms).toMatchObject([{ code: 'LHC101' }]);
});

test('OCI-CASE14: a new file of an unrecognised version is left out, and other files stay active', async () => {
  await put(vendor, 'a.json', hook('a'));
  await start();
  await put(vendor, '0a.json', '{"version": "-1"}');
  await settle();
  expect(inForce()).toEqual(['a']);
});

test('the last valid hook of a bad file is dropped when the file is removed', async () => {
  await put(vendor, 'a.json', hook('old'));
  await start();
  await put(vendor, 'a.json', '{');
  await settle();
  await rm(join(vendor, 'a.json'));
  await settle();
  expect(inForce()).toEqual([]);
  await put(vendor, 'a.json', '{{');
  await settle();
  expect(inForce()).toEqual([]);
});

test('hooks of a removed directory are dropped, and loaded again when the directory is created again', async () => {
  await put(vendor, 'a.json', hook('1'));
  await start();
  await rm(vendor, { recursive: true });
  await settle();
  expect(inForce()).toEqual([]);
  await mkdir(vendor, { mode: 0o755 });
  await put(vendor, 'a.json', hook('22'));
  await settle();
  expect(inForce()).toEqual(['22']);
  await put(vendor, 'a.json', hook('333'));
  await settle();
  expect(inForce()).toEqual(['333']);
});

test('a file that is renamed over another is loaded', async () => {
  await put(vendor, 'a.json', hook('1'));
  await start();
  await put(vendor, 'a.json.new', hook('22'));
  await rename(join(vendor, 'a.json.new'), join(vendor, 'a.json'));
  await settle();
  expect(inForce()).toEqual(['22']);
});

test('a directory that becomes writable by others keeps the hooks read from it before, with an alarm', async () => {
  await put(vendor, 'a.json', hook('1'));
  await start();
  await chmod(vendor, 0o777);
  await put(vendor, 'a.json', hook('22'));
  await settle();
  expect(inForce()).toEqual(['1']);
  expect(alarms).toMatchObject([{ code: 'LHC112' }]);
  await chmod(vendor, 0o755);
  await settle();
  expect(inForce()).toEqual(['22']);
});

test('a hook is inactive while its program is missing, with an alarm', async () => {
  const program = join(root, 'program');
  await writeFile(program, '');
  await put(vendor, 'a.json', hook('1', program));
  await start();
  expect(inForce()).toEqual(['1']);
  await rm(program);
  await settle();
  expect(inForce()).toEqual([]);
  expect(alarms).toMatchObject([{ code: 'LHC113' }]);
  await writeFile(program, '');
  await settle();
  expect(inForce()).toEqual(['1']);
});

test('a hook is disabled while others may write its program, with an alarm', async () => {
  const program = join(root, 'program');
  await writeFile(program, '', { mode: 0o755 });
  await put(vendor, 'a.json', hook('1', program));
  await start();
  expect(inForce()).toEqual(['1']);
  await chmod(program, 0o777);
  await settle();
  expect(inForce()).toEqual([]);
  expect(alarms).toMatchObject([{ code: 'LHC118' }]);
  await chmod(program, 0o755);
  await settle();
  expect(inForce()).toEqual(['1']);
});

test('a directory above that becomes writable by others raises an alarm', async () => {
  await put(vendor, 'a.json', hook('1'));
  await start();
  await chmod(root, 0o777);
  await settle();
  expect(alarms.map(({ code }) => code)).toContain('LHC112');
  await chmod(root, 0o755);
  await settle();
  expect(inForce()).toEqual(['1']);
});
