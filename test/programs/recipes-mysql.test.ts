/** Tests the recipe for MySQL with a server of MySQL 8.0 and Debian's client. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { copyUnderLoad, type NumberStore } from '../fixtures/snapshot/copy-under-load.ts';
import { publishedServer } from '../fixtures/snapshot/published-server.ts';
import {
  actionsOf,
  beginToWrite,
  exitCodeOf,
  openSession,
  type Writing,
} from '../fixtures/snapshot/recipe-run.ts';
import {
  accessWith,
  type ServerAccess,
  serverFolder,
  type ServerFolder,
} from '../fixtures/snapshot/server-process.ts';
import { type Checked, damage, verifyCopy } from '../fixtures/snapshot/verify-copy.ts';

const PASSWORD = 'very secret words';
const execute = promisify(execFile);
let home: string;
let server: ServerFolder;
let access: ServerAccess;
let socket: string;

beforeAll(async () => {
  home = publishedServer('mysql');
  server = await serverFolder('mysql');
  socket = join(server.folder, 'socket');
  const data = join(server.folder, 'data');
  const basics = ['--no-defaults', `--basedir=${home}`, `--datadir=${data}`];
  server.run(join(home, 'bin', 'mysqld'), ...basics, '--initialize-insecure');
  start(server, data);
  await eventually('the server answers', async () => canAsk(['--execute=SELECT 1']));
  const prepare = `ALTER USER root@localhost IDENTIFIED BY '${PASSWORD}'; CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)`;
  server.run('mariadb', '--no-defaults', `--socket=${socket}`, '-uroot', '-e', prepare);
  access = accessWith({ MYSQL_ROOT_PASSWORD: PASSWORD });
}, 300_000);

afterAll(async () => server.remove());

function start(on: ServerFolder, data: string): void {
  on.start(
    join(home, 'bin', 'mysqld'),
    '--no-defaults',
    `--basedir=${home}`,
    `--datadir=${data}`,
    `--socket=${join(on.folder, 'socket')}`,
    `--pid-file=${join(on.folder, 'pid')}`,
    '--skip-networking',
    '--mysqlx=0',
    '--innodb-buffer-pool-size=32M',
  );
}

const login = (at: string): string[] => [
  '--no-defaults',
  `--socket=${at}`,
  '-uroot',
  `-p${PASSWORD}`,
  '-BN',
];

function canAsk(args: readonly string[], at: string = socket): boolean {
  try {
    server.run('mariadb', '--no-defaults', `--socket=${at}`, '-uroot', ...args);
    return true;
  } catch {
    return false;
  }
}

const sql = (statement: string, at: string = socket): string =>
  server.run('mariadb', ...login(at), '-e', statement).trim();

const begin = (statement: string): Writing =>
  beginToWrite('mariadb', [...login(socket), '-e', statement]);

/** The number of statements that the server reports to be in this state. */
const statementsIn = (state: string): number =>
  Number(sql(`SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE '${state}'`));

const storeAt = (at: string): NumberStore => ({
  write: async (n) => {
    await execute('mariadb', [...login(at), '-e', `INSERT INTO d.t VALUES (${n})`]);
  },
  numbers: async () => {
    const rows = sql('SELECT a FROM d.t WHERE a > 0 ORDER BY a', at);
    return rows === '' ? [] : rows.split('\n').map(Number);
  },
});

it('mysql8 holds exactly the writes before the freeze in a copy made under load', async () => {
  const copied = await copyUnderLoad({
    access,
    actions: actionsOf('mysql8', { socket }),
    store: storeAt(socket),
    copy: async () => {
      await eventually(
        'the server makes the write wait',
        async () => statementsIn('Waiting for %') > 0,
      );
      server.cut('data', 'copy');
    },
  });
  expect(copied.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
  const verify = async (): Promise<Checked> => {
    const env = { PATH: `${home}/bin:${await programs()}:/usr/bin:/bin` };
    const parameters = { directory: 'copy', defaultsFile: '/dev/null' };
    return verifyCopy('mysql8', { path: server.folder, parameters, env });
  };
  expect(await verify()).toMatchObject({ exitCode: 0, output: expect.stringContaining('OK') });
  const restored = await serverFolder('mysql-copy');
  try {
    start(restored, join(server.folder, 'copy'));
    const at = join(restored.folder, 'socket');
    await eventually('the copy answers', async () =>
      canAsk([`-p${PASSWORD}`, '--execute=SELECT 1'], at),
    );
    expect(await storeAt(at).numbers()).toEqual(copied.frozen);
  } finally {
    await restored.remove();
  }
  await damage(join(server.folder, 'copy/d/t.ibd'), { at: 4 * 16_384 + 200, bytes: 10_000 });
  expect(await verify()).toMatchObject({ exitCode: 1 });
});

/** Links to Debian's programs under the names that MySQL uses: the published server has no client programs. */
async function programs(): Promise<string> {
  const folder = join(server.folder, 'programs');
  await mkdir(folder, { recursive: true });
  for (const name of ['mysqlcheck', 'mysqladmin']) {
    await symlink(`/usr/bin/${name.replace('mysql', 'mariadb-')}`, join(folder, name)).catch(
      () => {},
    );
  }
  return folder;
}

it('blocks writes and DDL until its session is killed', async () => {
  const actions = actionsOf('mysql8', { socket });
  const opened = await openSession(access, actions);
  expect(opened.result.reason).toContain('Frozen');
  const writings = [begin('INSERT INTO d.t VALUES (-1)'), begin('CREATE TABLE d.u (a INT)')];
  await eventually('both wait', async () => statementsIn('Waiting for %') === 2);
  access.sessions.at(-1)?.killGroup('SIGKILL');
  await Promise.all(writings.map(({ done }) => done));
  expect(await opened.session?.ended).toMatchObject({ kind: 'broken' });
  expect(sql('SELECT COUNT(*) FROM d.u')).toBe('0');
  expect(await exitCodeOf(access, actions.probe?.command)).toBe(1);
});

it.each([
  // The freeze takes two locks in turn: the first waits for DDL, the second waits for writes.
  ['DDL', 'CREATE TABLE d.long_ddl AS SELECT SLEEP(3600) AS a'],
  ['a write', 'INSERT INTO d.t SELECT -2 - SLEEP(3600)'],
])(
  'fails when %s takes longer than lockWaitSeconds, and does not stop it',
  async (_what, statement) => {
    const long = begin(statement);
    await eventually('it is executed', async () => statementsIn('User sleep') === 1);
    const actions = actionsOf('mysql8', { socket, lockWaitSeconds: '1' });
    const opened = await openSession(access, actions);
    expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(opened.result.stdout.text).toContain('ERROR 1205');
    expect(long.ended()).toBe(false);
    sql(`KILL ${sql("SELECT id FROM information_schema.processlist WHERE state = 'User sleep'")}`);
    await long.done;
  },
);

it('fails with the error of the server when the password is wrong, and its probe exits with 2', async () => {
  const wrong = accessWith({ MYSQL_ROOT_PASSWORD: 'wrong password' });
  const actions = actionsOf('mysql8', { socket });
  const opened = await openSession(wrong, actions);
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
  expect(opened.result.stdout.text).toContain('Access denied');
  expect(await exitCodeOf(wrong, actions.probe?.command)).toBe(2);
});

it('is undone when the server does not answer within its timeout', async () => {
  server.signal('SIGSTOP');
  const opening = openSession(access, actionsOf('mysql8', { socket }), { timeoutMs: 1_000 });
  expect((await opening).result.outcome).toBe('TimedOut');
  server.signal('SIGCONT');
  await begin('INSERT INTO d.t VALUES (-3)').done;
  expect(sql('SELECT COUNT(*) FROM d.t WHERE a = -3')).toBe('1');
});

it('reports no thaw when the server is killed while it is frozen, and the server starts unlocked', async () => {
  const opened = await openSession(access, actionsOf('mysql8', { socket }));
  await server.kill();
  expect(await opened.session?.thaw(60_000)).not.toMatchObject({ kind: 'thawed', exitCode: 0 });
  start(server, join(server.folder, 'data'));
  await eventually('the server answers', async () =>
    canAsk([`-p${PASSWORD}`, '--execute=SELECT 1']),
  );
  await begin('INSERT INTO d.t VALUES (-4)').done;
  expect(sql('SELECT COUNT(*) FROM d.t WHERE a = -4')).toBe('1');
});
