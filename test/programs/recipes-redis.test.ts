/** Tests the recipes for Redis with Debian's server. */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { copyUnderLoad, type NumberStore } from '../fixtures/snapshot/copy-under-load.ts';
import {
  actionsOf,
  beginToWrite,
  exitCodeOf,
  openSession,
  runRecipe,
  type Writing,
} from '../fixtures/snapshot/recipe-run.ts';
import {
  accessWith,
  freePort,
  type ServerAccess,
  serverFolder,
  type ServerFolder,
} from '../fixtures/snapshot/server-process.ts';
import { type Checked, damage, verifyCopy } from '../fixtures/snapshot/verify-copy.ts';

const PASSWORD = 'very secret words';
let server: ServerFolder;
let access: ServerAccess;
let port: string;

beforeAll(async () => {
  server = await serverFolder('redis');
  port = String(await freePort());
  start(server, port);
  access = accessWith({ REDIS_PASSWORD: PASSWORD });
  await eventually('the server answers', async () => answers(port));
});

afterAll(() => server.remove());

function start(where: ServerFolder, at: string): void {
  where.start(
    'redis-server',
    ...`--port ${at} --bind 127.0.0.1 --appendonly yes`.split(' '),
    ...`--auto-aof-rewrite-percentage 77 --dir ${where.folder}`.split(' '),
    '--requirepass',
    PASSWORD,
    '--save',
    '',
  );
}

function answers(at: string): boolean {
  try {
    return server.run('redis-cli', ...login(at), 'PING').trim() === 'PONG';
  } catch {
    return false;
  }
}

const login = (at: string = port): string[] => ['-p', at, '-a', PASSWORD, '--no-auth-warning'];

function redis(...words: readonly string[]): string {
  return server.run('redis-cli', ...login(), ...words).trim();
}

const storeAt = (at: string): NumberStore => ({
  write: async (n) => {
    await promisify(execFile)('redis-cli', ['-e', ...login(at), 'RPUSH', 'numbers', String(n)]);
  },
  numbers: async () => {
    const list = server.run('redis-cli', ...login(at), 'LRANGE', 'numbers', '0', '-1').trim();
    return list === '' ? [] : list.split('\n').map(Number);
  },
});

const verify = async (recipe: string, directory: string): Promise<Checked> =>
  verifyCopy(recipe, { path: server.folder, parameters: { directory } });

const setting = (): string =>
  redis('CONFIG', 'GET', 'auto-aof-rewrite-percentage').split('\n')[1] ?? '';

describe('redis-rdb', () => {
  it('saves the data written before it, also while another save is running', async () => {
    redis('SET', 'key', 'before');
    redis('BGSAVE');
    const run = await runRecipe(access, actionsOf('redis-rdb', { port }));
    expect(run.story).toBe('freeze, hold');
    expect((await stat(join(server.folder, 'dump.rdb'))).size).toBeGreaterThan(80);
    const again = await runRecipe(access, actionsOf('redis-rdb', { port }));
    expect(again.ok).toBe(true);
    const copy = join(server.folder, 'dumped');
    await mkdir(copy);
    expect(await verify('redis-rdb', 'dumped')).toMatchObject({ exitCode: 1 });
    server.cut('dump.rdb', 'dumped');
    expect(await verify('redis-rdb', 'dumped')).toEqual({ exitCode: 0, output: '' });
    await damage(join(copy, 'dump.rdb'), { at: 60, bytes: 10 });
    expect(await verify('redis-rdb', 'dumped')).toMatchObject({ exitCode: 1 });
  });

  it('fails when the save fails, although redis-cli and BGSAVE report no failure', async () => {
    await chmod(server.folder, 0o555);
    const run = await runRecipe(access, actionsOf('redis-rdb', { port }));
    await chmod(server.folder, 0o755);
    expect(run.steps[0]).toMatchObject({ ok: false, text: 'Exited with code 4.' });
    expect(run.steps[0]?.output).toContain('the save did not succeed');
  });

  it('fails when the login is refused', async () => {
    const run = await runRecipe(accessWith({}), actionsOf('redis-rdb', { port }));
    expect(run.steps[0]?.ok).toBe(false);
    expect(run.steps[0]?.output).toContain('NOAUTH');
  });
});

describe('redis-aof', () => {
  it('disables the rewrite of the append-only file until the thaw, then restores the setting', async () => {
    const run = await runRecipe(access, actionsOf('redis-aof', { port }), async () => {
      expect(setting()).toBe('0');
      redis('SET', 'key', 'writes go on');
    });
    expect(run.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    expect(setting()).toBe('77');
  });

  it('gives a copy that its check passes, also if its last command is cut off', async () => {
    const run = await runRecipe(access, actionsOf('redis-aof', { port }), async () => {
      redis('SET', 'key', 'a longer value than before');
      server.cut('appendonlydir', 'logs');
    });
    expect(run.ok).toBe(true);
    await mkdir(join(server.folder, 'copied'));
    server.cut('logs', 'copied');
    const logs = join(server.folder, 'copied', 'logs');
    const log = join(logs, (await readdir(logs)).find((name) => name.endsWith('.incr.aof')) ?? '');
    expect(await verify('redis-aof', 'copied')).toEqual({ exitCode: 0, output: '' });
    await truncate(log, (await stat(log)).size - 5);
    expect(await verify('redis-aof', 'copied')).toEqual({ exitCode: 0, output: '' });
    await damage(log, { at: 25, bytes: 4 });
    expect(await verify('redis-aof', 'copied')).toMatchObject({ exitCode: 1 });
  });

  it('gives a copy that its check passes, also if the end of its last transaction is cut off', async () => {
    const folder = join(server.folder, 'transaction');
    await mkdir(folder);
    const set = '*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n';
    await writeFile(join(folder, 'appendonly.aof'), `${set}*1\r\n$5\r\nMULTI\r\n${set}`);
    expect(await verify('redis-aof', 'transaction')).toEqual({ exitCode: 0, output: '' });
  });

  it('reports no thaw when the server is killed meanwhile, and the server starts as it was configured', async () => {
    const opened = await openSession(access, actionsOf('redis-aof', { port }));
    await server.kill();
    expect(await opened.session?.thaw(60_000)).not.toMatchObject({ kind: 'thawed', exitCode: 0 });
    start(server, port);
    await eventually('the server answers', async () => answers(port));
    expect(setting()).toBe('77');
  });

  it('restores the setting by itself when the connection is lost', async () => {
    const opened = await openSession(access, actionsOf('redis-aof', { port }));
    expect(setting()).toBe('0');
    access.sessions.at(-1)?.close();
    expect(await opened.session?.ended).toMatchObject({ kind: 'lost' });
    await eventually('it is as before', async () => setting() === '77');
  });

  it('fails without an append-only file, and changes no setting', async () => {
    redis('CONFIG', 'SET', 'appendonly', 'no');
    const opened = await openSession(access, actionsOf('redis-aof', { port }));
    redis('CONFIG', 'SET', 'appendonly', 'yes');
    expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 4 });
    expect(opened.result.stdout.text).toContain('use the recipe redis-rdb');
    expect(setting()).toBe('77');
  });
});

describe('redis-pause', () => {
  const write = (): Writing => beginToWrite('redis-cli', [...login(), 'SET', 'key', 'late']);

  it('blocks writes but not reads until the thaw', async () => {
    const writings: Writing[] = [];
    const run = await runRecipe(access, actionsOf('redis-pause', { port }), async () => {
      const writing = write();
      writings.push(writing);
      // Flag "b" means that the server blocks the client.
      await eventually('the server makes the write wait', async () =>
        /flags=b.* cmd=set /.test(redis('CLIENT', 'LIST')),
      );
      expect(redis('GET', 'key')).not.toBe('late');
      expect(writing.ended()).toBe(false);
    });
    expect(run.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    await writings[0]?.done;
    expect(redis('GET', 'key')).toBe('late');
  });

  it('holds exactly the writes before the pause in a copy made under load, which its check passes', async () => {
    const copied = await copyUnderLoad({
      access,
      actions: actionsOf('redis-pause', { port }),
      store: storeAt(port),
      copy: async () => {
        await eventually('a write waits', async () =>
          /flags=b.* cmd=rpush /.test(redis('CLIENT', 'LIST')),
        );
        server.cut('appendonlydir', 'paused');
      },
    });
    expect(copied.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    const restored = await serverFolder('redis-copy');
    try {
      execFileSync('cp', [
        '-a',
        join(server.folder, 'paused'),
        join(restored.folder, 'appendonlydir'),
      ]);
      const check = verifyCopy('redis-pause', { path: restored.folder });
      expect(await check).toEqual({ exitCode: 0, output: '' });
      const other = String(await freePort());
      start(restored, other);
      await eventually('the copy answers', async () => answers(other));
      expect(await storeAt(other).numbers()).toEqual(copied.frozen);
    } finally {
      await restored.remove();
    }
  });

  it('expires after pauseSeconds, and a second thaw succeeds', async () => {
    const { preAction, postAction, probe } = actionsOf('redis-pause', { port, pauseSeconds: '2' });
    expect(await exitCodeOf(access, preAction.exec?.command)).toBe(0);
    const startedMs = performance.now();
    expect(await exitCodeOf(access, preAction.exec?.command)).toBe(0);
    await write().done;
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThanOrEqual(2_000);
    // Without pauseSeconds, the pause would last for 30 s.
    expect(tookMs).toBeLessThan(29_000);
    expect(await exitCodeOf(access, postAction?.exec?.command)).toBe(0);
    expect(await exitCodeOf(access, postAction?.exec?.command)).toBe(0);
    expect(await exitCodeOf(access, probe?.command)).toBe(1);
  });
});
