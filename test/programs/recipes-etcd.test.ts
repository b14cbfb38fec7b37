/** Tests the recipe for etcd with Debian's server. */
import { execFile } from 'node:child_process';
import { chown, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { beginLoad } from '../fixtures/snapshot/copy-under-load.ts';
import { actionsOf, exitCodeOf, runRecipe } from '../fixtures/snapshot/recipe-run.ts';
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
let server: ServerFolder;
let access: ServerAccess;
let endpoint: string;
let file: string;

beforeAll(async () => {
  server = await serverFolder('etcd');
  endpoint = await start(server);
  file = join(server.folder, 'backup.db');
  server.run('etcdctl', `--endpoints=${endpoint}`, 'user', 'add', `root:${PASSWORD}`);
  server.run('etcdctl', `--endpoints=${endpoint}`, 'user', 'grant-role', 'root', 'root');
  server.run('etcdctl', `--endpoints=${endpoint}`, 'auth', 'enable');
  access = accessWith({ ETCD_ROOT_PASSWORD: PASSWORD });
});

afterAll(async () => server.remove());

/** Starts a server with the data in its directory, if there is any, and resolves with its endpoint. */
async function start(where: ServerFolder): Promise<string> {
  const [client, peer] = [await freePort(), await freePort()];
  where.start(
    'etcd',
    '--data-dir=data',
    `--listen-client-urls=http://127.0.0.1:${client}`,
    `--advertise-client-urls=http://127.0.0.1:${client}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
  );
  const at = `127.0.0.1:${client}`;
  await eventually('it answers', async () => {
    try {
      return (await (await fetch(`http://${at}/health`)).text()).includes('true');
    } catch {
      return false;
    }
  });
  return at;
}

const login = (at: string): string[] => [`--endpoints=${at}`, `--user=root:${PASSWORD}`];

const numbers = (at: string): number[] =>
  server
    .run('etcdctl', ...login(at), 'get', '--prefix', '--keys-only', 'n/')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.replace('n/', '')));

const actions = () => actionsOf('etcd-snapshot', { file, endpoint, user: 'root' });

const verify = async (name: string): Promise<Checked> =>
  verifyCopy('etcd-snapshot', { path: server.folder, parameters: { file: name } });

it('saves every write that was acknowledged before it, under load, and its check passes the backup', async () => {
  const load = beginLoad({
    write: async (n) => {
      await promisify(execFile)('etcdctl', [...login(endpoint), 'put', `n/${n}`, 'x']);
    },
    numbers: async () => numbers(endpoint),
  });
  await load.answers(20);
  const before = [...load.answered];
  const run = await runRecipe(access, actions());
  await load.stop();
  expect(run.story).toBe('freeze, hold');
  server.cut('backup.db', 'copy.db');
  await chown(join(server.folder, 'copy.db'), owner.uid, owner.gid);
  expect(await verify('copy.db')).toMatchObject({ exitCode: 0 });
  const restored = await serverFolder('etcd-copy');
  try {
    restored.run(
      'etcdctl',
      'snapshot',
      'restore',
      join(server.folder, 'copy.db'),
      '--data-dir=data',
    );
    expect(numbers(await start(restored))).toEqual(expect.arrayContaining(before));
  } finally {
    await restored.remove();
  }
});

it('has a check that fails for a damaged, a cut off and a missing backup', async () => {
  const { size } = await stat(file);
  server.cut('backup.db', 'damaged.db');
  await damage(join(server.folder, 'damaged.db'), { at: size - 5_000, bytes: 100 });
  expect(await verify('damaged.db')).toMatchObject({ exitCode: 1 });
  server.cut('backup.db', 'short.db');
  await truncate(join(server.folder, 'short.db'), size - 10_000);
  expect(await verify('short.db')).toMatchObject({ exitCode: 1 });
  expect(await verify('none.db')).toMatchObject({ exitCode: 1 });
});

it('needs no freeze: a volume that is cut at one moment holds every acknowledged write', async () => {
  const crashed = await serverFolder('etcd-crashed');
  try {
    server.run('etcdctl', ...login(endpoint), 'put', 'n/1000000', 'x');
    const source = numbers(endpoint);
    server.cut('data', join(crashed.folder, 'data'));
    expect(numbers(await start(crashed))).toEqual(source);
  } finally {
    await crashed.remove();
  }
});

it('fails when the password is wrong, and leaves the backup before as it was', async () => {
  const before = await readFile(file);
  const run = await runRecipe(accessWith({ ETCD_ROOT_PASSWORD: 'wrong' }), actions());
  expect(run.steps[0]).toMatchObject({ ok: false });
  expect(run.steps[0]?.output).toContain('authentication failed');
  expect((await readFile(file)).equals(before)).toBe(true);
});

it('fails when the server is killed, and leaves the backup before as it was', async () => {
  const before = await readFile(file);
  await server.kill();
  expect(await exitCodeOf(access, actions().preAction.exec?.command)).toBe(1);
  expect((await readFile(file)).equals(before)).toBe(true);
});
