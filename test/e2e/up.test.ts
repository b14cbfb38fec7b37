/** `lifehook up`, `down` and `status` as a user runs them, in the right order and in wrong ones. */
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { exitsSoon, isRunning } from '../fixtures/processes/attempt.ts';
import { type Ended, kubectlPath, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-up-'));
});

afterEach(async () => {
  await lifehook('down', '--delete');
  await rm(folder, { recursive: true, force: true });
});

const lifehook = (...args: readonly string[]): Promise<Ended> =>
  run(process.execPath, [PROGRAM, ...args, '--state-dir', folder]);

const kubectl = (...args: readonly string[]): Promise<Ended> =>
  run(kubectlPath(), ['--kubeconfig', join(folder, 'kubeconfig'), ...args]);

async function ok(ending: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await ending;
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

async function pid(): Promise<number> {
  const text = await readFile(join(folder, 'up.json'), 'utf8');
  return (JSON.parse(text) as { process: { pid: number } }).process.pid;
}

async function kill9(): Promise<void> {
  const victim = await pid();
  process.kill(victim, 'SIGKILL');
  expect(await exitsSoon(victim)).toBe(true);
}

/** Creates a pod. In its script `$$$$` means the shell's `$$`, because Kubernetes replaces each `$$` by `$`. */
const makePod = (name: string, script: string): Promise<string> =>
  ok(
    kubectl('run', name, '--image=none', '--restart=Always', '--command', '--', 'sh', '-c', script),
  );

/** The PID that a container has written. A container is ready a moment before its shell runs. */
async function writtenPid(): Promise<number> {
  const text = await eventually('its pid is written', async () => {
    const written = await readFile(join(folder, 'pid'), 'utf8').catch(() => '');
    return written.endsWith('\n') && written;
  });
  return Number(text);
}

/** Name, phase, restarts, readiness and address of the pod, in one line. */
async function podLine(name: string): Promise<string> {
  const path =
    '{.metadata.name} {.status.phase} {.status.containerStatuses[0].restartCount} {.status.containerStatuses[0].ready} {.status.podIP}';
  return (await kubectl('get', 'pod', name, '-o', `jsonpath=${path}`)).stdout;
}

test(
  'up, a second up, status and down report the state of the cluster',
  { tags: 'kubectl' },
  async () => {
    expect((await lifehook('status')).code).toBe(1);
    expect((await lifehook('down')).stdout).toBe('The cluster "local" is not up.\n');
    const first = await ok(lifehook('up'));
    expect(first).toMatch(/is up \(\d+\.\d\d s\)/);
    expect(first).toContain(`lifehook down --state-dir ${folder}`);
    expect(await ok(lifehook('up'))).toContain(`is up already (process ${await pid()})`);
    expect(await ok(lifehook('status', '--kubeconfig'))).toBe(`${join(folder, 'kubeconfig')}\n`);
    expect(((await stat(join(folder, 'kubeconfig'))).mode & 0o777).toString(8)).toBe('600');
    expect(await ok(kubectl('describe', 'node', 'lifehook'))).toMatch(/HolderIdentity:\s+lifehook/);
    expect(await ok(lifehook('down'))).toBe('The cluster "local" is down.\n');
    expect((await lifehook('status')).code).toBe(1);
    expect(await ok(lifehook('down', '--delete'))).toContain('is removed');
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  },
);

test('several concurrent ups start the cluster once', { tags: 'kubectl' }, async () => {
  const all = await Promise.all([lifehook('up'), lifehook('up'), lifehook('up')]);
  expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    all.map(() => ({ code: 0, stderr: '' })),
  );
  expect(all.filter(({ stdout }) => / is up \(/.test(stdout))).toHaveLength(1);
  const already = `is up already (process ${await pid()})`;
  expect(all.filter(({ stdout }) => stdout.includes(already))).toHaveLength(2);
  await ok(kubectl('get', 'nodes'));
});

test('a port in use is reported, and nothing is left behind', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const up = await lifehook('up', '--port', String(port));
  expect(up.code).toBe(1);
  expect(up.stderr).toContain(`LHA107: The API server cannot listen on 127.0.0.1:${port}`);
  expect((await lifehook('status')).code).toBe(1);
  server.close();
  await once(server, 'close');
  expect(await ok(lifehook('up', '--port', String(port)))).toContain(`https://127.0.0.1:${port}`);
});

test('a state directory that cannot be created is reported', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const up = await run(process.execPath, [PROGRAM, 'up', '--state-dir', `${file}/state`]);
  expect(up.code).not.toBe(0);
  expect(up.stderr).toContain('error LHA106: The cluster keeps its state in');
});

test('a state directory can be a relative path', { tags: 'kubectl' }, async () => {
  const place = relative(process.cwd(), folder);
  await ok(run(process.execPath, [PROGRAM, 'up', '--state-dir', place]));
  await makePod('runs', 'exec sleep 1000');
  await eventually('it runs', async () => (await podLine('runs')).includes('true'));
});

test(
  'after kill -9 the kubeconfig still works, and the pods run on with their addresses',
  { tags: 'kubectl' },
  async () => {
    await ok(lifehook('up'));
    await makePod('runs', 'exec sleep 1000');
    const before = await eventually(
      'it runs',
      async () => (await podLine('runs')).includes('true') && podLine('runs'),
    );
    await ok(kubectl('create', 'configmap', 'written', '--from-literal=a=b'));
    const kubeconfig = await readFile(join(folder, 'kubeconfig'), 'utf8');
    await kill9();
    expect((await lifehook('status')).code).toBe(1);
    await ok(lifehook('up'));
    expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toBe(kubeconfig);
    expect(await ok(kubectl('get', 'configmap', 'written', '-o', 'jsonpath={.data.a}'))).toBe('b');
    await eventually('it still runs', async () => (await podLine('runs')) === before);
  },
);

test(
  'a torn last line of the journal is ignored, and acknowledged writes are kept',
  { tags: 'kubectl' },
  async () => {
    await ok(lifehook('up'));
    await ok(kubectl('create', 'configmap', 'written', '--from-literal=a=b'));
    await kill9();
    const names = await readdir(join(folder, 'api'));
    const journal = names.find((name) => name.includes('journal'));
    expect(journal).toBeDefined();
    await appendFile(join(folder, 'api', journal ?? ''), '{"torn": "line with');
    await ok(lifehook('up'));
    expect(await ok(kubectl('get', 'configmap', 'written', '-o', 'jsonpath={.data.a}'))).toBe('b');
  },
);

test(
  'down kills a container that ignores SIGTERM, and up starts it again without a back-off',
  { tags: 'kubectl' },
  async () => {
    await ok(lifehook('up'));
    await makePod('stubborn', 'trap "" TERM; while :; do sleep 0.1; done');
    await eventually('it runs', async () => (await podLine('stubborn')).includes('true'));
    for (const restarts of [1, 2, 3]) {
      await ok(lifehook('down'));
      await ok(lifehook('up'));
      await eventually('it runs again', async () =>
        (await podLine('stubborn')).includes(`Running ${restarts} true`),
      );
    }
    const reported = await ok(kubectl('get', 'events', '-o', 'jsonpath={.items[*].reason}'));
    expect(reported).toContain('Started');
    expect(reported).not.toContain('BackOff');
  },
);

test('down kills the containers of a killed cluster', { tags: 'kubectl' }, async () => {
  await ok(lifehook('up'));
  await makePod('left', `echo $$$$ >${folder}/pid; exec sleep 1000`);
  await eventually('it runs', async () => (await podLine('left')).includes('true'));
  const container = await writtenPid();
  await kill9();
  expect(isRunning(container)).toBe(true);
  expect(await ok(lifehook('down'))).toContain('stopped 1 leftover container');
  expect(isRunning(container)).toBe(false);
});

test('the next up kills a container whose pod no longer exists', { tags: 'kubectl' }, async () => {
  await ok(lifehook('up'));
  await makePod('orphan', `echo $$$$ >${folder}/pid; exec sleep 1000`);
  await eventually('it runs', async () => (await podLine('orphan')).includes('true'));
  const container = await writtenPid();
  await kill9();
  expect(isRunning(container)).toBe(true);
  // Simulates an older state of the API, without the pod.
  await rm(join(folder, 'api'), { recursive: true });
  await ok(lifehook('up'));
  expect(isRunning(container)).toBe(false);
  expect(await ok(kubectl('get', 'pods', '-o', 'name'))).toBe('');
});

test('Ctrl-C stops a cluster in the foreground cleanly', { tags: 'kubectl' }, async () => {
  const child = spawn(process.execPath, [PROGRAM, 'up', '--foreground', '--state-dir', folder]);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await eventually('it is up', async () => said.includes('Press Ctrl-C to stop it'));
  await makePod('runs', 'exec sleep 1000');
  await eventually('it runs', async () => (await podLine('runs')).includes('true'));
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect((await lifehook('down')).stdout).toBe('The cluster "local" is not up.\n');
});

test('a long log of starts is rotated', async () => {
  await writeFile(join(folder, 'up.log'), 'x'.repeat(1_048_577));
  await ok(lifehook('up'));
  expect((await stat(join(folder, 'up.log'))).size).toBeLessThan(1_000);
  expect((await stat(join(folder, 'up.log.1'))).size).toBe(1_048_577);
});

test('a failure of its controllers is in the log', { tags: 'kubectl' }, async () => {
  await ok(lifehook('up'));
  await ok(kubectl('delete', 'crd', 'hookruns.lifehook.dev'));
  await eventually('it is told', async () => {
    const log = await readFile(join(folder, 'up.log'), 'utf8');
    return log.includes('"resource":"hookruns.lifehook.dev"');
  });
});

test('two clusters have separate addresses for the same ports', { tags: 'kubectl' }, async () => {
  const other = await mkdtemp(join(tmpdir(), 'lifehook-up-'));
  const inOther = (...args: readonly string[]): Promise<Ended> =>
    run(process.execPath, [PROGRAM, ...args, '--state-dir', other]);
  const kubectlOther = (...args: readonly string[]): Promise<Ended> =>
    run(kubectlPath(), ['--kubeconfig', join(other, 'kubeconfig'), ...args]);
  try {
    // Both clusters had the same range before, so the later one must take another.
    await writeFile(join(folder, 'address-range'), '7\n');
    await writeFile(join(other, 'address-range'), '7\n');
    await Promise.all([ok(lifehook('up')), ok(inOther('up'))]);
    // The two ranges depend on the other clusters of this machine.
    const ranges = await Promise.all(
      [folder, other].map(async (one) =>
        Number(await readFile(join(one, 'address-range'), 'utf8')),
      ),
    );
    expect(new Set(ranges).size).toBe(2);
    const address = 'jsonpath={.spec.clusterIP}';
    const services = await Promise.all([
      ok(kubectl('get', 'service', 'kubernetes', '-o', address)),
      ok(kubectlOther('get', 'service', 'kubernetes', '-o', address)),
    ]);
    expect(services).toEqual(ranges.map((range) => `127.${96 + range}.0.1`));
    const arguments_ = ['run', 'same', '--image=none', '--command', '--', 'sleep', '1000'];
    await Promise.all([ok(kubectl(...arguments_)), ok(kubectlOther(...arguments_))]);
    const ip = ['get', 'pod', 'same', '-o', 'jsonpath={.status.podIP}'];
    const addresses = await eventually('both have an address', async () => {
      const both = await Promise.all([kubectl(...ip), kubectlOther(...ip)]);
      return both.every(({ stdout }) => stdout !== '') && both.map(({ stdout }) => stdout);
    });
    expect(addresses).toEqual(ranges.map((range) => `127.${10 + range}.0.1`));
    for (const each of [kubectl, kubectlOther]) {
      expect((await each('get', 'events', '-A')).stdout).not.toContain('FailedToListen');
    }
  } finally {
    await inOther('down', '--delete');
    await rm(other, { recursive: true, force: true });
  }
});
