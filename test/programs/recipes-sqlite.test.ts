/** Tests the recipe for SQLite with Debian's shell. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyUnderLoad, type NumberStore } from '../fixtures/snapshot/copy-under-load.ts';
import {
  actionsOf,
  beginToWrite,
  exitCodeOf,
  openSession,
  type Writing,
} from '../fixtures/snapshot/recipe-run.ts';
import { accessWith } from '../fixtures/snapshot/server-process.ts';
import { damage, verifyCopy } from '../fixtures/snapshot/verify-copy.ts';

const run = promisify(execFile);
const access = accessWith({});
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-sqlite-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const sql = (database: string, statement: string): string =>
  execFileSync('sqlite3', ['-cmd', '.timeout 60000', database, statement], {
    encoding: 'utf8',
  }).trim();

const storeOf = (database: string): NumberStore => ({
  write: async (n) => {
    await run('sqlite3', ['-cmd', '.timeout 60000', database, `INSERT INTO t VALUES (${n})`]);
  },
  numbers: async () => {
    const rows = sql(database, 'SELECT a FROM t ORDER BY a');
    return rows === '' ? [] : rows.split('\n').map(Number);
  },
});

/** Writes like an application that waits very long for a lock. */
const write = (database: string): Writing =>
  beginToWrite('sqlite3', ['-cmd', '.timeout 60000', database, 'INSERT INTO t VALUES (-1)']);

describe.each(['wal', 'delete'])('sqlite-lock with journal_mode=%s', (mode) => {
  let directory: string;
  let database: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(folder, `${mode}-`));
    database = join(directory, 'shop "1".db');
    sql(database, `PRAGMA journal_mode=${mode}; CREATE TABLE t (a INTEGER PRIMARY KEY)`);
  });

  const busy = (): string => {
    try {
      execFileSync('sqlite3', [database, 'INSERT INTO t VALUES (-2)'], { stdio: 'pipe' });
      return 'written';
    } catch (error) {
      return String(error);
    }
  };

  it('holds exactly the writes before the freeze in a copy made file by file under load', async () => {
    const copy = join(folder, `copy-${mode}`);
    const copied = await copyUnderLoad({
      access,
      actions: actionsOf('sqlite-lock', { database }),
      store: storeOf(database),
      copy: () => {
        expect(busy()).toContain('database is locked');
        execFileSync('cp', ['-a', directory, copy]);
      },
    });
    expect(copied.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    const file = 'shop "1".db';
    const check = { path: folder, parameters: { directory: `copy-${mode}`, file } };
    expect(await verifyCopy('sqlite-lock', check)).toEqual({ exitCode: 0, output: '' });
    expect(await storeOf(join(copy, file)).numbers()).toEqual(copied.frozen);
    await damage(join(copy, file), { at: 4_100, bytes: 200 });
    expect(await verifyCopy('sqlite-lock', check)).toMatchObject({ exitCode: 1 });
  });

  it('unlocks when its session is killed', async () => {
    const actions = actionsOf('sqlite-lock', { database });
    const opened = await openSession(access, actions);
    expect(opened.result.outcome).toBe('Succeeded');
    expect(await exitCodeOf(access, actions.probe?.command)).toBe(0);
    const writing = write(database);
    access.sessions.at(-1)?.killGroup('SIGKILL');
    await writing.done;
    expect(await opened.session?.ended).toMatchObject({ kind: 'broken' });
    expect(await exitCodeOf(access, actions.probe?.command)).toBe(1);
    sql(database, 'DELETE FROM t WHERE a < 0');
  });

  it('fails when a transaction writes longer than lockWaitSeconds, and does not stop it', async () => {
    const lock = await openSession(access, actionsOf('sqlite-lock', { database }));
    const actions = actionsOf('sqlite-lock', { database, lockWaitSeconds: '1' });
    const second = await openSession(access, actions);
    expect(second.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(second.result.stdout.text).toContain('database is locked');
    expect(busy()).toContain('database is locked');
    expect(await lock.session?.thaw(60_000)).toMatchObject({ kind: 'thawed', exitCode: 0 });
    expect(busy()).toBe('written');
    sql(database, 'DELETE FROM t WHERE a < 0');
  });

  it('is undone when it does not freeze within its timeout', async () => {
    const lock = await openSession(access, actionsOf('sqlite-lock', { database }));
    const actions = actionsOf('sqlite-lock', { database, lockWaitSeconds: '600' });
    const late = await openSession(access, actions, { timeoutMs: 1_000 });
    expect(late.result.outcome).toBe('TimedOut');
    expect(await lock.session?.thaw(60_000)).toMatchObject({ exitCode: 0 });
    expect(busy()).toBe('written');
    sql(database, 'DELETE FROM t WHERE a < 0');
  });
});

it('fails without the database, and creates none', async () => {
  const database = join(folder, 'none.db');
  const opened = await openSession(access, actionsOf('sqlite-lock', { database }));
  expect(opened.result).toMatchObject({ outcome: 'Failed' });
  expect(opened.result.stdout.text).toContain(`there is no database ${database}`);
  expect(() => execFileSync('ls', [database], { stdio: 'pipe' })).toThrow();
});

it('fails on a file that is no database, and its probe exits with 2', async () => {
  const database = join(folder, 'text.db');
  await writeFile(database, 'a text that is longer than the header of a database\n'.repeat(40));
  const actions = actionsOf('sqlite-lock', { database });
  const opened = await openSession(access, actions);
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
  expect(opened.result.stdout.text).toContain('not a database');
  expect(await exitCodeOf(access, actions.probe?.command)).toBe(2);
});
