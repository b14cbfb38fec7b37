/** Tests copies of a MariaDB that the recipes froze under load, their checks, and the state after a server failure. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { copyUnderLoad } from '../fixtures/snapshot/copy-under-load.ts';
import {
  type MariadbServer,
  newMariadb,
  openMariadb,
} from '../fixtures/snapshot/mariadb-server.ts';
import { actionsOf, openSession } from '../fixtures/snapshot/recipe-run.ts';
import { serverFolder } from '../fixtures/snapshot/server-process.ts';
import { type Checked, damage, verifyCopy } from '../fixtures/snapshot/verify-copy.ts';

let mariadb: MariadbServer;

beforeAll(async () => {
  mariadb = await newMariadb();
});

afterAll(async () => mariadb.server.remove());

describe.each(['mariadb-lock', 'mariadb-backup-stage'])('%s', (name) => {
  it('holds exactly the writes before the freeze in a copy made under load, which its check passes', async () => {
    const { access, server, socket, store } = mariadb;
    const copied = await copyUnderLoad({
      access,
      actions: actionsOf(name, { socket }),
      store,
      copy: async () => {
        await eventually('a write waits', async () => mariadb.statementsIn('Waiting for %') > 0);
        server.cut('data', name);
      },
    });
    expect(copied.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
    const check = async (): Promise<Checked> =>
      verifyCopy(name, { path: server.folder, parameters: { directory: name } });
    expect(await check()).toMatchObject({ exitCode: 0, output: expect.stringContaining('OK') });
    const restored = await openMariadb(
      await serverFolder('mariadb-copy'),
      join(server.folder, name),
    );
    try {
      expect(await restored.store.numbers()).toEqual(copied.frozen);
    } finally {
      await restored.server.remove();
    }
    await damage(join(server.folder, name, 'd/t.ibd'), { at: 3 * 16_384 + 200, bytes: 10_000 });
    expect(await check()).toMatchObject({ exitCode: 1 });
  });

  it('is undone when the server does not answer within its timeout', async () => {
    const { access, server, socket } = mariadb;
    server.signal('SIGSTOP');
    const opening = openSession(access, actionsOf(name, { socket }), { timeoutMs: 1_000 });
    expect((await opening).result.outcome).toBe('TimedOut');
    server.signal('SIGCONT');
    await mariadb.begin('INSERT INTO d.t VALUES (1000000)').done;
    expect(mariadb.sql('SELECT COUNT(*) FROM d.t WHERE a = 1000000')).toBe('1');
    mariadb.sql('DELETE FROM d.t WHERE a = 1000000');
  });

  it('reports no thaw when the server is killed while it is frozen, and the server starts unlocked', async () => {
    const { access, server, socket } = mariadb;
    const opened = await openSession(access, actionsOf(name, { socket }));
    await server.kill();
    expect(await opened.session?.thaw(60_000)).not.toMatchObject({ kind: 'thawed', exitCode: 0 });
    mariadb = await openMariadb(server, join(server.folder, 'data'));
    await mariadb.begin('INSERT INTO d.t VALUES (1000000)').done;
    expect(mariadb.sql('SELECT COUNT(*) FROM d.t WHERE a = 1000000')).toBe('1');
    mariadb.sql('DELETE FROM d.t WHERE a = 1000000');
  });
});

it('the check of a copy of a replica does not connect to its primary', async () => {
  let connections = 0;
  const primary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  primary.listen(0, '127.0.0.1');
  await once(primary, 'listening');
  try {
    const { port } = primary.address() as AddressInfo;
    const login = `master_port = ${port}, master_user = 'r', master_password = 'r'`;
    mariadb.sql(`CHANGE MASTER TO master_host = '127.0.0.1', ${login}; START SLAVE`);
    await eventually('it connects to its primary', async () => connections > 0);
    mariadb.server.cut('data', 'replica');
    mariadb.sql('STOP SLAVE; RESET SLAVE ALL');
    connections = 0;
    const parameters = { directory: 'replica' };
    const checked = await verifyCopy('mariadb-lock', { path: mariadb.server.folder, parameters });
    expect([checked.exitCode, connections]).toEqual([0, 0]);
  } finally {
    primary.close();
  }
});

it('the check fails on a directory without data, and on a copy that the server cannot open', async () => {
  const { folder } = mariadb.server;
  const missing = verifyCopy('mariadb-lock', { path: folder, parameters: { directory: 'none' } });
  expect(await missing).toMatchObject({ exitCode: 1, output: expect.stringContaining('none') });
  mariadb.server.cut('data', 'torn');
  await damage(join(folder, 'torn', 'ibdata1'), { at: 0, bytes: 16_384 });
  const torn = verifyCopy('mariadb-lock', { path: folder, parameters: { directory: 'torn' } });
  expect(await torn).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('the server does not start with the copy'),
  });
});
