/** Tests the recipe for OpenSearch with a server from its published artifacts. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { copyUnderLoad, type NumberStore } from '../fixtures/snapshot/copy-under-load.ts';
import { publishedServer } from '../fixtures/snapshot/published-server.ts';
import { actionsOf, exitCodeOf, openSession } from '../fixtures/snapshot/recipe-run.ts';
import {
  accessWith,
  freePort,
  owner,
  serverFolder,
  type ServerFolder,
} from '../fixtures/snapshot/server-process.ts';

interface Node {
  readonly url: string;
}

const access = accessWith({});
let node: Node;
let server: ServerFolder;

beforeAll(async () => {
  server = await serverFolder('opensearch');
  node = await openNode(server);
  await ask('PUT', '/numbers', { settings: { number_of_replicas: 0 } });
}, 900_000);

afterAll(async () => server.remove());

/** Starts a server with the data in its directory, if there is any. */
async function openNode(at: ServerFolder): Promise<Node> {
  const [port, transport] = [await freePort(), await freePort()];
  const home = join(at.folder, 'home');
  cpSync(publishedServer('opensearch'), home, { recursive: true });
  await writeFile(
    join(home, 'config/opensearch.yml'),
    `discovery.type: single-node\nnetwork.host: 127.0.0.1\nhttp.port: ${port}\ntransport.port: ${transport}\n`,
  );
  for (const each of ['', 'config', 'logs']) await own(home, each);
  await own(at.folder, 'data');
  start(at);
  const made = { url: `http://127.0.0.1:${port}` };
  await eventually('it answers', async () => answers(made.url), 300);
  return made;
}

async function own(folder: string, name: string): Promise<void> {
  execFileSync('mkdir', ['-p', join(folder, name)]);
  await chown(join(folder, name), owner.uid, owner.gid);
}

function start(at: ServerFolder): void {
  const home = join(at.folder, 'home');
  const paths = [`-Dopensearch.path.home=${home}`, `-Dopensearch.path.conf=${home}/config`];
  const options = ['-Xms256m', '-Xmx256m', '-Djava.security.manager=allow', ...paths];
  const data = `path.data=${at.folder}/data`;
  at.start(
    'java',
    ...options,
    '-cp',
    `${home}/lib/*`,
    'org.opensearch.bootstrap.OpenSearch',
    '-E',
    data,
  );
}

async function answers(url: string): Promise<boolean> {
  try {
    const health = '/_cluster/health?wait_for_status=yellow&timeout=30s';
    return (await fetch(`${url}${health}`)).ok;
  } catch {
    return false;
  }
}

async function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${node.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Starts an HTTP server that refuses every login, as OpenSearch does when its security is on. */
async function startGate(seen: string[]): Promise<{ url: string; close: () => Promise<void> }> {
  const gate = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.writeHead(401).end();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => gate.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await new Promise((resolve) => gate.close(resolve));
    },
  };
}

const write = async (index: string, id: number): Promise<number> =>
  (await ask('PUT', `/${index}/_doc/${id}`, { id })).status;

const settings = async (path: string): Promise<string> => (await ask('GET', path)).text();

const storeAt = (url: string): NumberStore => ({
  // Acts as a client that retries while its writes are refused.
  write: async (n) => {
    await eventually(`${n} is written`, async () => (await write('numbers', n)) < 300);
  },
  numbers: async () => {
    await fetch(`${url}/numbers/_refresh`, { method: 'POST' });
    const found = await fetch(`${url}/numbers/_search?size=10000&_source=false`);
    const { hits } = (await found.json()) as { hits: { hits: { _id: string }[] } };
    return hits.hits.map(({ _id }) => Number(_id)).toSorted((a, b) => a - b);
  },
});

const actions = () => actionsOf('opensearch-write-block', { url: node.url });

it('holds exactly the writes before the freeze in a copy made under load, which starts', async () => {
  const copied = await copyUnderLoad({
    access,
    actions: actions(),
    store: storeAt(node.url),
    copy: async () => {
      expect(await write('numbers', 1_000_000)).toBe(403);
      server.cut('data', 'copy');
    },
  });
  expect(copied.story).toBe('probe, freeze, probe, hold, probe, thaw, probe');
  const folder = await serverFolder('opensearch-copy');
  cpSync(join(server.folder, 'copy'), join(folder.folder, 'data'), { recursive: true });
  execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, join(folder.folder, 'data')]);
  const restored = await openNode(folder);
  try {
    expect(await storeAt(restored.url).numbers()).toEqual(copied.frozen);
    // The write block is part of the copy. The thaw, when run against the restored server, removes the block.
    const thaw = actionsOf('opensearch-write-block', { url: restored.url }).preAction.session?.thaw;
    const put = { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${restored.url}/numbers/_doc/0`, put)).status).toBe(403);
    expect(await exitCodeOf(access, thaw)).toBe(0);
    expect((await fetch(`${restored.url}/numbers/_doc/0`, put)).status).toBe(201);
  } finally {
    await folder.remove();
  }
}, 900_000);

it('leaves indices blocked that were blocked before, and thaws with one deleted meanwhile', async () => {
  for (const name of ['old', 'new', 'deleted']) await ask('PUT', `/${name}`);
  await ask('PUT', '/old/_block/write');
  const opened = await openSession(access, actions());
  expect(opened.result.outcome).toBe('Succeeded');
  expect(await write('new', 1)).toBe(403);
  await ask('DELETE', '/deleted');
  expect(await opened.session?.thaw(60_000)).toMatchObject({ kind: 'thawed', exitCode: 0 });
  expect([await write('new', 1), await write('old', 1)]).toEqual([201, 403]);
  expect(await settings('/_cluster/settings?flat_settings=true')).not.toContain('lifehook');
});

it('fails while another freeze is in force, and does not end that one', async () => {
  const first = await openSession(access, actions());
  const second = await openSession(access, actions());
  expect(second.result).toMatchObject({ outcome: 'Failed', exitCode: 4 });
  expect(second.result.stdout.text).toContain('another freeze blocks');
  expect(await write('numbers', 1_000_001)).toBe(403);
  expect(await first.session?.thaw(60_000)).toMatchObject({ exitCode: 0 });
  expect(await write('numbers', 1_000_001)).toBe(201);
});

it('does not count as frozen for its probe once another index takes writes', async () => {
  const opened = await openSession(access, actions());
  expect(await exitCodeOf(access, actions().probe?.command)).toBe(0);
  await write('created-meanwhile', 1);
  expect(await exitCodeOf(access, actions().probe?.command)).toBe(1);
  await opened.session?.thaw(60_000);
});

it('unblocks when the connection is lost', async () => {
  const opened = await openSession(access, actions());
  expect(await write('numbers', 1_000_002)).toBe(403);
  access.sessions.at(-1)?.close();
  expect(await opened.session?.ended).toMatchObject({ kind: 'lost' });
  await eventually('it takes writes', async () => (await write('numbers', 1_000_002)) === 201);
  // The last step of a thaw removes this mark. Until then, another freeze is refused.
  const marks = '/_cluster/settings?flat_settings=true';
  await eventually(
    'the mark is removed',
    async () => !(await settings(marks)).includes('lifehook'),
  );
});

it('reports no thaw when the server is killed, and a thaw without the session unblocks it afterwards', async () => {
  const opened = await openSession(access, actions());
  expect(opened.result.outcome).toBe('Succeeded');
  await server.kill();
  expect(await opened.session?.thaw(60_000)).not.toMatchObject({ kind: 'thawed', exitCode: 0 });
  // The session's helper tries its thaw several times before it ends.
  await access.sessions.at(-1)?.ended;
  start(server);
  await eventually('it answers', async () => answers(node.url), 300);
  expect(await write('numbers', 1_000_003)).toBe(403);
  expect(await exitCodeOf(access, actions().preAction.session?.thaw)).toBe(0);
  expect(await write('numbers', 1_000_003)).toBe(201);
}, 900_000);

it('is undone when the server does not answer within its timeout', async () => {
  server.signal('SIGSTOP');
  const opening = openSession(access, actions(), { timeoutMs: 1_000 });
  expect((await opening).result.outcome).toBe('TimedOut');
  server.signal('SIGCONT');
  await eventually('it takes writes', async () => (await write('numbers', 1_000_004)) === 201);
});

it('gives the password to curl on its input, with quotes in it, and fails with the status of the answer', async () => {
  const seen: string[] = [];
  const gate = await startGate(seen);
  const opened = await openSession(
    accessWith({ ELASTIC_PASSWORD: 'a "quoted" \\ word' }),
    actionsOf('opensearch-write-block', { url: gate.url, user: 'elastic' }),
  );
  await gate.close();
  expect(opened.result).toMatchObject({ outcome: 'Failed', exitCode: 22 });
  expect(opened.result.stdout.text).toContain('401');
  const [first = ''] = seen;
  const login = Buffer.from(first.replace('Basic ', ''), 'base64').toString();
  expect(login).toBe('elastic:a "quoted" \\ word');
});
