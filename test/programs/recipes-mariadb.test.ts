/** Tests the recipes for MariaDB with Debian's server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type MariadbServer, newMariadb } from '../fixtures/snapshot/mariadb-server.ts';
import {
  actionsOf,
  exitCodeOf,
  openSession,
  runRecipe,
  type Writing,
} from '../fixtures/snapshot/recipe-run.ts';
import { accessWith, type ServerAccess } from '../fixtures/snapshot/server-process.ts';

let mariadb: MariadbServer;
let access: ServerAccess;
let socket: string;

beforeAll(async () => {
  mariadb = await newMariadb();
  ({ access, socket } = mariadb);
});

afterAll(async () => mariadb.server.remove());

const sql = (statement: string): string => mariadb.sql(statement);
const begin = (statement: string): Writing => mariadb.begin(statement);
const statementsIn = (state: string): number => mariadb.statementsIn(state);
const rows = (): number => Number(sql('SELECT COUNT(*) FROM d.t'));

const write = (): Writing => begin('INSERT INTO d.t VALUES (1)');

const heldUp = (): Promise<boolean> =>
  eventually('the server makes the write wait', async () => statementsIn('Waiting for %') === 1);

describe.each(['mariadb-lock', 'mariadb-backup-stage'])('%s', (name) => {
  it('blocks writes until the thaw, and its probe reports the lock', async () => {
    const before = rows();
    const writings: Writing[] = [];
    const run = await runRecipe(access, actionsOf(name, { socket }), async () => {
      const writing = write();
      writings.push(writing);
      await heldUp();
      expect(writing.ended()).toBe(false);
      expect(rows()).toBe(before);
    });
    expect(run.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    await writings[0]?.done;
    expect(rows()).toBe(before + 1);
  });

  it('thaws when the session is killed', async () => {
    const opened = await openSession(access, actionsOf(name, { socket }));
    expect(opened.result.reason).toContain('Frozen');
    const writing = write();
    await heldUp();
    expect(writing.ended()).toBe(false);
    access.sessions.at(-1)?.killGroup('SIGKILL');
    await writing.done;
    expect(await opened.session?.ended).toMatchObject({ kind: 'broken' });
  });

  it('fails its probe and its thaw when the server has closed its connection', async () => {
    const opened = await openSession(access, actionsOf(name, { socket }));
    const sleeping = "SELECT id FROM information_schema.processlist WHERE command = 'Sleep'";
    // The server may still be closing connections of earlier tests.
    const id = await eventually('only the session sleeps', async () => {
      const ids = sql(sleeping).split('\n');
      return ids.length === 1 && ids[0];
    });
    sql(`KILL ${id}`);
    await eventually('the server has closed it', async () => sql(sleeping) === '');
    const probe = actionsOf(name, { socket }).probe?.command;
    expect(await exitCodeOf(access, probe)).toBe(1);
    // The client notices the closed connection only at its next request. Before that, only the probe can detect it.
    expect(await opened.session?.thaw(60_000)).toMatchObject({ kind: 'thawed', exitCode: 1 });
  });

  it('fails when writers hold their locks longer than lockWaitSeconds, and does not stop them', async () => {
    // The two statements below last until the session that holds these locks is killed.
    const locks = begin("SELECT GET_LOCK('backup', 0), GET_LOCK('insert', 0), SLEEP(3600)");
    await eventually('the locks are taken', async () => statementsIn('User sleep') === 1);
    const before = rows();
    const holding = begin("BACKUP STAGE START; SELECT GET_LOCK('backup', 3600); BACKUP STAGE END");
    await eventually('the backup waits', async () => statementsIn('User lock') === 1);
    const long = begin("INSERT INTO d.t SELECT GET_LOCK('insert', 3600)");
    await eventually('the insert waits', async () => statementsIn('User lock') === 2);
    const opened = await openSession(access, actionsOf(name, { socket, lockWaitSeconds: '1' }));
    expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(opened.result.stdout.text).toContain('ERROR 1205');
    expect([holding.ended(), long.ended()]).toEqual([false, false]);
    sql(`KILL ${sql("SELECT id FROM information_schema.processlist WHERE state = 'User sleep'")}`);
    await Promise.all([locks.done, holding.done, long.done]);
    expect(rows()).toBe(before + 1);
  });
});

it('a second mariadb-lock is granted, and the first stays in force until its own thaw', async () => {
  const actions = actionsOf('mariadb-lock', { socket });
  const first = await openSession(access, actions);
  const second = await openSession(access, actions);
  expect(await second.session?.thaw(60_000)).toMatchObject({ exitCode: 0 });
  expect(await exitCodeOf(access, actions.probe?.command)).toBe(0);
  expect(await first.session?.thaw(60_000)).toMatchObject({ exitCode: 0 });
  expect(await exitCodeOf(access, actions.probe?.command)).toBe(1);
});

it.each([
  ['mariadb-lock', ['RELOAD ON *.*', 'DROP ON lifehook_probe.*']],
  ['mariadb-backup-stage', ['RELOAD ON *.*']],
])('%s needs no privilege but %j', async (name, privileges) => {
  sql("CREATE USER backup@localhost IDENTIFIED BY 'backup'");
  for (const privilege of privileges) sql(`GRANT ${privilege} TO backup@localhost`);
  const backup = accessWith({ BACKUP_PASSWORD: 'backup' });
  const parameters = { socket, user: 'backup', passwordVariable: 'BACKUP_PASSWORD' };
  const run = await runRecipe(backup, actionsOf(name, parameters));
  sql('DROP USER backup@localhost');
  expect(run.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
});

it('fails with the error of the server when the password is wrong, and its probe exits with 2', async () => {
  const wrong = accessWith({ MARIADB_ROOT_PASSWORD: 'wrong password' });
  const opened = await openSession(wrong, actionsOf('mariadb-lock', { socket }));
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
  expect(opened.result.stdout.text).toContain('Access denied');
  // The probe could not ask the server, and must not report this as "not frozen" (1).
  expect(await exitCodeOf(wrong, actionsOf('mariadb-lock', { socket }).probe?.command)).toBe(2);
});
