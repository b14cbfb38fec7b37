/** The recipes for Redis with the server of Debian. */
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
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

const PASSWORD = 'very secret words';
let server: ServerFolder;
let access: ServerAccess;
let port: string;

beforeAll(async () => {
  server = await serverFolder('redis');
  port = String(await freePort());
  server.start(
    'redis-server',
    ...`--port ${port} --bind 127.0.0.1 --appendonly yes`.split(' '),
    ...`--auto-aof-rewrite-percentage 77 --dir ${server.folder}`.split(' '),
    '--requirepass',
    PASSWORD,
    '--save',
    '',
  );
  access = accessWith({ REDIS_PASSWORD: PASSWORD });
  await eventually('the server answers', async () => {
    try {
      return redis('PING') === 'PONG';
    } catch {
      return false;
    }
  });
});

afterAll(() => server.remove());

const login = (): string[] => ['-p', port, '-a', PASSWORD, '--no-auth-warning'];

function redis(...words: readonly string[]): string {
  return server.run('redis-cli', ...login(), ...words).trim();
}

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
  });

  it('fails when the save fails, although redis-cli and BGSAVE report no failure', async () => {
    await chmod(server.folder, 0o555);
    const run = await runRecipe(access, actionsOf('redis-rdb', { port }));
    await chmod(server.folder, 0o755);
    expect(run.steps[0]).toMatchObject({ ok: false, text: 'Exited with code 4.' });
    expect(run.steps[0]?.output).toContain('the save did not end well');
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
      // "b": the server keeps the client waiting.
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

  it('expires after pauseSeconds, and a second thaw succeeds', async () => {
    const { preAction, postAction, probe } = actionsOf('redis-pause', { port, pauseSeconds: '2' });
    expect(await exitCodeOf(access, preAction.exec?.command)).toBe(0);
    const startedMs = performance.now();
    expect(await exitCodeOf(access, preAction.exec?.command)).toBe(0);
    await write().done;
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThanOrEqual(2_000);
    // Without the parameter a pause lasts for 30 s.
    expect(tookMs).toBeLessThan(29_000);
    expect(await exitCodeOf(access, postAction?.exec?.command)).toBe(0);
    expect(await exitCodeOf(access, postAction?.exec?.command)).toBe(0);
    expect(await exitCodeOf(access, probe?.command)).toBe(1);
  });
});
