/** Tests the recipes for PostgreSQL with Debian's server. */
import { readdirSync } from 'node:fs';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { storedTextBytes } from '../../src/kube/stored-size.ts';
import { OUTPUT_BYTES_MAX } from '../../src/lifecycles/snapshot/schema/limits.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { actionsOf, exitCodeOf, openSession, runRecipe } from '../fixtures/snapshot/recipe-run.ts';
import {
  accessWith,
  freePort,
  owner,
  type ServerAccess,
  serverFolder,
  type ServerFolder,
} from '../fixtures/snapshot/server-process.ts';
import { type Checked, damage, verifyCopy } from '../fixtures/snapshot/verify-copy.ts';

const PASSWORD = 'very secret words';
const programs = join(
  '/usr/lib/postgresql',
  readdirSync('/usr/lib/postgresql').at(-1) ?? '',
  'bin',
);

let server: ServerFolder;
let access: ServerAccess;
let port: number;

beforeAll(async () => {
  server = await serverFolder('postgresql');
  await writeFile(join(server.folder, 'password'), `${PASSWORD}\n`, { mode: 0o644 });
  server.run(
    join(programs, 'initdb'),
    `--pgdata=${join(server.folder, 'data')}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${join(server.folder, 'password')}`,
    '--no-sync',
  );
  port = await freePort();
  start(join(server.folder, 'data'), port);
  access = accessWith({
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    POSTGRES_PASSWORD_FILE: join(server.folder, 'password'),
  });
  await eventually('the server answers', async () => answers(port));
  sql('CREATE TABLE t AS SELECT generate_series(1, 1000) AS a; CREATE INDEX t_a ON t (a)');
});

afterAll(() => server.remove());

function start(data: string, at: number): void {
  const settings = [`port=${at}`, 'listen_addresses=127.0.0.1', 'shared_buffers=16MB', 'fsync=off'];
  server.start(
    join(programs, 'postgres'),
    `-D${data}`,
    `-k${server.folder}`,
    ...settings.flatMap((setting) => ['-c', setting]),
  );
}

function sql(statement: string, at: number = port): string {
  const url = `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${at}/postgres`;
  return server.run('/usr/bin/psql', url, '-XAtqc', statement).trim();
}

/** Checks a copy with the server's programs on the PATH, as in the server's image. */
const verify = async (recipe: string, directory: string): Promise<Checked> =>
  verifyCopy(recipe, {
    path: server.folder,
    parameters: { directory },
    env: { PATH: `${programs}:/usr/bin:/bin` },
  });

function answers(at: number): boolean {
  try {
    return sql('SELECT 1', at) === '1';
  } catch {
    return false;
  }
}

describe('postgresql-checkpoint', () => {
  it('makes a new checkpoint each time it runs', async () => {
    const location = (): string => sql('SELECT checkpoint_lsn FROM pg_control_checkpoint()');
    for (const _time of [1, 2]) {
      const before = location();
      sql('INSERT INTO t VALUES (1)');
      const run = await runRecipe(access, actionsOf('postgresql-checkpoint'));
      expect(run.story).toBe('freeze, hold');
      expect(location()).not.toBe(before);
    }
  });

  it('gives a copy that its check passes, and a damaged one that it does not', async () => {
    const run = await runRecipe(access, actionsOf('postgresql-checkpoint'), async () => {
      sql('INSERT INTO t SELECT generate_series(1, 500)');
      server.cut('data', 'crashed');
    });
    expect(run.story).toBe('freeze, hold');
    const index = join(server.folder, 'crashed', sql("SELECT pg_relation_filepath('t_a')"));
    expect(await verify('postgresql-checkpoint', 'crashed')).toEqual({ exitCode: 0, output: '' });
    await damage(index, { at: 2 * 8_192 + 4_096, bytes: 4_000 });
    expect(await verify('postgresql-checkpoint', 'crashed')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('t_a'),
    });
    await rm(join(server.folder, 'crashed', 'PG_VERSION'));
    expect(await verify('postgresql-checkpoint', 'crashed')).toMatchObject({ exitCode: 1 });
  });

  it('gives a copy of a standby that its check passes without its primary', async () => {
    server.cut('data', 'standby');
    const signal = join(server.folder, 'standby', 'standby.signal');
    await writeFile(signal, '');
    await chown(signal, owner.uid, owner.gid);
    expect(await verify('postgresql-checkpoint', 'standby')).toEqual({ exitCode: 0, output: '' });
  });

  it('fails with the error of the server when the login is refused', async () => {
    const wrong = accessWith({ PGHOST: '127.0.0.1', PGPORT: String(port), PGPASSWORD: 'wrong' });
    const run = await runRecipe(wrong, actionsOf('postgresql-checkpoint'));
    expect(run.steps[0]).toMatchObject({ ok: false, text: 'Exited with code 2.' });
    expect(run.steps[0]?.output).toContain('password authentication failed');
  });
});

describe('postgresql-backup', () => {
  it('prints a label with which a file-by-file copy made during the backup recovers every row', async () => {
    const copy = join(server.folder, 'copy');
    await rm(copy, { recursive: true, force: true });
    const run = await runRecipe(access, actionsOf('postgresql-backup'), async () => {
      sql('INSERT INTO t SELECT generate_series(1, 500)');
      // A file may vanish while it is copied. The copy does not need such a file.
      server.run('/bin/sh', '-c', 'cp -a data copy || :');
      sql('INSERT INTO t SELECT generate_series(1, 500)');
    });
    expect(run.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    const said = run.steps.find(({ name }) => name === 'thaw')?.output ?? '';
    const label =
      /lifehook: backup_label\n([\s\S]*?)\nlifehook: tablespace_map\n/.exec(said)?.[1] ?? '';
    expect(label).toMatch(
      /^START WAL LOCATION: .*\nCHECKPOINT LOCATION: [\s\S]*\nLABEL: lifehook\n/,
    );
    expect(said.length).toBeLessThan(1_024);
    const rows = sql('SELECT COUNT(*) FROM t');
    // The copy needs the WAL up to the end of the backup, so pg_wal is copied last, like a volume that is cut last.
    server.run('/bin/sh', '-c', 'rm -r copy/pg_wal copy/postmaster.pid; cp -a data/pg_wal copy/');
    expect(await verify('postgresql-backup', 'copy')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('write the one that the thaw printed'),
    });
    await writeFile(join(copy, 'backup_label'), label);
    await chown(join(copy, 'backup_label'), owner.uid, owner.gid);
    expect(await verify('postgresql-backup', 'copy')).toEqual({ exitCode: 0, output: '' });
    const other = await freePort();
    const restored = await serverFolder('postgresql-copy');
    try {
      restored.start(
        join(programs, 'postgres'),
        `-D${copy}`,
        `-k${restored.folder}`,
        `--port=${other}`,
        '--fsync=off',
      );
      await eventually('the copy recovers', async () => answers(other));
      expect(sql('SELECT COUNT(*) FROM t', other)).toBe(rows);
    } finally {
      await restored.remove();
    }
  });

  it('refuses tablespaces whose map does not fit into the status, and fits the largest other one', async () => {
    const location = (space: string): string => join(server.folder, space);
    // The map may have 500 bytes: the location of each tablespace and 12 more, and 24 for the two default ones.
    const fitting = Math.floor((500 - 24) / (location('space10').length + 12));
    const spaces = Array.from({ length: fitting + 1 }, (_, at) => `space${10 + at}`);
    const actions = actionsOf('postgresql-backup');
    try {
      for (const space of spaces) {
        server.run('/bin/mkdir', location(space));
        sql(`CREATE TABLESPACE ${space} LOCATION '${location(space)}'`);
      }
      const { result } = await openSession(access, actions);
      expect(result).toMatchObject({ outcome: 'Failed' });
      expect(result.stdout.text).toContain('the tablespace_map does not fit into the status');
      sql(`DROP TABLESPACE ${spaces.pop() ?? ''}`);
      const opened = await openSession(access, actions);
      const end = await opened.session?.thaw(60_000);
      const output = end?.kind === 'thawed' ? (end.output ?? '') : '';
      expect(output).toContain('lifehook: backup_label\nSTART WAL LOCATION: ');
      expect(storedTextBytes(output)).toBeLessThan(OUTPUT_BYTES_MAX);
    } finally {
      for (const space of spaces) sql(`DROP TABLESPACE IF EXISTS ${space}`);
    }
  });

  it('is stopped by the server when its session is killed', async () => {
    const actions = actionsOf('postgresql-backup');
    const opened = await openSession(access, actions);
    expect(await exitCodeOf(access, actions.probe?.command)).toBe(0);
    access.sessions.at(-1)?.killGroup('SIGKILL');
    expect(await opened.session?.ended).toMatchObject({ kind: 'broken' });
    await eventually('the server sees it', async () => {
      return (await exitCodeOf(access, actions.probe?.command)) !== 0;
    });
  });

  it('runs twice in parallel, each session with its own label', async () => {
    const actions = actionsOf('postgresql-backup');
    const first = await openSession(access, actions);
    const second = await openSession(access, actions);
    const ends = [await first.session?.thaw(60_000), await second.session?.thaw(60_000)];
    for (const end of ends) {
      expect(end).toMatchObject({ kind: 'thawed', by: 'session', exitCode: 0 });
      expect(end?.kind === 'thawed' ? end.output : '').toContain('LABEL: lifehook');
    }
  });
});
