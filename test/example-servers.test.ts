/** The servers of `examples`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';

const HOST = '127.83.1.7';
const PORT = 8080;
const URL = `http://${HOST}:${PORT}`;

let folder: string;
let server: ChildProcess | null;

beforeEach(async () => {
  server = null;
  folder = await mkdtemp(join(tmpdir(), 'example-servers-'));
  await writeFile(join(folder, 'version'), '2');
  await writeFile(join(folder, 'prices.json'), '{ "tea": 250 }');
  // A replacement for psql, which one of the example servers starts. No test here needs data from it.
  await writeFile(join(folder, 'psql'), '#!/bin/sh\ncat >&2\n', { mode: 0o700 });
});

afterEach(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await rm(folder, { recursive: true });
});

/** Starts the server of an example with a copy of its files. Resolves when it answers. */
async function start(example: string): Promise<void> {
  await cp(`examples/${example}`, folder, { recursive: true });
  const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH, HOST, LIFEHOOK_VOLUME_DATA: folder };
  server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: 'ignore' });
  await expect.poll(isServed).toBe(true);
}

const isServed = (): Promise<boolean> =>
  fetch(`${URL}/nothing`).then(
    ({ status }) => status === 404,
    () => false,
  );

async function orderStatus(body: string): Promise<number> {
  const { status } = await fetch(`${URL}/orders`, { method: 'POST', body });
  return status;
}

it('the order service refuses a body that is no order, and continues to serve', async () => {
  await start('demo/orders/server');
  const wrong = ['{', 'null', '[]', '{ "id": "a", "quantity": 1, "item": "toString" }'];
  for (const body of wrong) expect(await orderStatus(body)).toBe(400);
  expect(await orderStatus('{ "id": "a", "quantity": 2, "item": "tea" }')).toBe(201);
});

it.each([
  ['demo/orders/server', '/orders'],
  ['rollouts/web', '/customers'],
])(
  'the server of %s continues to serve when a client disconnects in a POST',
  async (example, path) => {
    await start(example);
    const socket = connect(PORT, HOST);
    await once(socket, 'connect');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 10\r\n\r\n{`);
    // The server has read that request when it answers a later one.
    expect(await isServed()).toBe(true);
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect(await isServed()).toBe(true);
    expect(await isServed()).toBe(true);
  },
);
