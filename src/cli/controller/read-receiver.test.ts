import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import { secrets } from '../../kube/resources.ts';
import type { Receiver } from '../../observe/notifications/receiver.ts';
import { type ReceiverPlace, readReceiver } from './read-receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const url = 'https://hooks.example.com/path-secret';

let bench: SimBench;
let folder: string;

beforeEach(async () => {
  bench = new SimBench();
  folder = await mkdtemp(join(tmpdir(), 'lifehook-receiver-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

function read(place: ReceiverPlace): Promise<Receiver | null> {
  return bench.until(readReceiver(place, { client: bench.client, namespace: 'hooks' }));
}

async function file(text: string, mode: number): Promise<string> {
  const path = join(folder, 'receiver.yaml');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

it('is none without an option', async () => {
  expect(await read({})).toBeNull();
});

it('reads a Secret', async () => {
  const data = { url: btoa(`${url}\n`), secret: btoa(secret), template: btoa('slack') };
  const metadata = { namespace: 'hooks', name: 'receiver' };
  await bench.until(bench.client.create(secrets, { metadata, data }));
  expect(await read({ secret: 'receiver' })).toMatchObject({
    url,
    template: expect.anything() as unknown,
  });
});

it('refuses a Secret that is missing', async () => {
  await expect(read({ secret: 'receiver' })).rejects.toThrow(
    'LHK109: Notifications cannot be sent: Secret hooks/receiver: secrets hooks/receiver not found',
  );
});

it('reads a file that only its owner may read', async () => {
  const path = await file(`url: ${url}\nsecret: ${secret}\n`, 0o600);
  const receiver = await readReceiver({ file: path }, { client: bench.client, namespace: '' });
  expect(receiver?.url).toBe(url);
});

it.each([0o640, 0o604])('refuses a file of mode %d, with the command (ENG-N3)', async (mode) => {
  const path = await file(`url: ${url}\nsecret: ${secret}\n`, mode);
  const reading = readReceiver({ file: path }, { client: bench.client, namespace: '' });
  await expect(reading).rejects.toThrow(`other users may read ${path}`);
  await expect(reading).rejects.toMatchObject({
    problems: [{ next: `Run \`chmod 600 ${path}\`.` }],
  });
});

it.each([
  ['url: [path-secret', 'receiver.yaml: BAD_INDENT.'],
  ['url: { a: path-secret }', 'values that are not strings'],
])('quotes nothing of a damaged file: %j (ENG-N3)', async (text, what) => {
  const path = await file(text, 0o600);
  const reading = readReceiver({ file: path }, { client: bench.client, namespace: '' });
  await expect(reading).rejects.toThrow(what);
  await expect(reading).rejects.not.toThrow('path-secret');
});

it('refuses a Secret and a file together', async () => {
  await expect(read({ secret: 'a', file: 'b' })).rejects.toThrow(
    'both a Secret and a file are given',
  );
});

it('refuses a pipe, for whose writer it would have to wait', async () => {
  const path = await file('', 0o600);
  await rm(path);
  execFileSync('mkfifo', ['-m', '600', path]);
  const reading = readReceiver({ file: path }, { client: bench.client, namespace: '' });
  await expect(reading).rejects.toThrow(`${path} is not a regular file`);
});
