/**
 * Tests the single executable, built from this test's own Node, alone in a directory and without any Node on the PATH.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { version } from '../../src/cli/version.ts';
import { pods } from '../../src/kube/resources.ts';
import { makeKubeClient } from '../../src/kube/make-client.ts';
import { connect, type Ended, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lifehook-executable-')));
  mkdirSync(join(folder, 'bin'));
  for (const name of PROGRAMS) symlinkSync(`/bin/${name}`, join(folder, 'bin', name));
  const node = ['--node', process.execPath, '--out', join(folder, 'lifehook')];
  execFileSync('npm', ['run', '--silent', 'build:sea', '--', ...node], { stdio: 'pipe' });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** All programs that the PATH offers. */
const PROGRAMS = ['cat', 'echo', 'mkfifo', 'sh', 'sleep'];

const lifehook = (...args: readonly string[]): Promise<Ended> =>
  run('env', [
    '-i',
    `PATH=${join(folder, 'bin')}`,
    `HOME=${folder}`,
    join(folder, 'lifehook'),
    ...args,
  ]);

it('prints its version and its help, and nothing else', async () => {
  expect(await lifehook('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const { code, stdout, stderr } = await lifehook('snapshot', '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: lifehook snapshot /);
});

it('starts a cluster whose pods run and whose timeline opens, and stops it', async () => {
  const state = ['--state-dir', join(folder, 'state')];
  expect(await lifehook('up', ...state)).toMatchObject({ code: 0, stderr: '' });
  const connection = await connect(join(folder, 'state/kubeconfig'));
  try {
    const client = makeKubeClient(connection);
    const place = { namespace: 'default', name: 'web' };
    const container = { name: 'web', image: 'none', command: ['sh', '-c', 'sleep 600'] };
    await client.create(pods, { metadata: place, spec: { containers: [container] } });
    await eventually('the pod runs', async () => {
      const { status } = await client.get(pods, place);
      return status?.phase === 'Running';
    });
    const { stdout } = await lifehook('status', ...state);
    const link = /^ *timeline +(http\S+)$/m.exec(stdout)?.[1] ?? '';
    const page = await fetch(link, { signal: AbortSignal.timeout(60_000) });
    expect(page.status).toBe(200);
  } finally {
    connection.transport.close();
    expect(await lifehook('down', '--delete', ...state)).toMatchObject({ code: 0, stderr: '' });
  }
});

it('runs a container with its supervisor', async () => {
  const bundle = join(folder, 'bundle');
  await mkdir(join(bundle, 'rootfs'), { recursive: true });
  const program = { cwd: '/', args: ['/bin/sh', '-c', 'echo serving; exit 3'] };
  const config = { ociVersion: '1.0.2', root: { path: 'rootfs' }, process: program };
  await writeFile(join(bundle, 'config.json'), JSON.stringify(config));
  const root = ['--root', join(folder, 'containers')];
  const ended = await lifehook(
    'oci',
    'run',
    '--runner',
    'process',
    '--bundle',
    bundle,
    ...root,
    'web',
  );
  expect(ended).toMatchObject({ code: 3, stdout: 'serving\n' });
});

it('logs in through a credential plugin', async () => {
  const answer = JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: 'abc' },
  });
  const kubeconfig = join(folder, 'with-plugin');
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'echo', args: [answer] };
  const config = {
    clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user: { exec: { ...exec, interactiveMode: 'Never' } } }],
    'current-context': 'a',
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const { code, stderr } = await lifehook('snapshot', 'list', '--kubeconfig', kubeconfig);
  expect(code).toBe(1);
  // This error shows that the credential plugin was called: only then does the client connect to the server, which does
  // not exist.
  expect(stderr).toMatch(/^error LHK011: .*ECONNREFUSED/);
});

it('refuses the demo, which needs Node and the examples', async () => {
  const { code, stderr } = await lifehook('demo');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error LHG014: .* Next: run it from the package/);
});
