/**
 * Tests podman, containerd and Docker with the wrapper as their runtime, configured as in docs/container.md.
 * The test uses the snippets of that document. It starts the daemons, with their own sockets and without networks.
 *
 * @module-tag containerd
 * @module-tag dockerd
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { until } from '../e2e/oci-life-stand.ts';
import { finish, POLL, WRAPPER, type Finished } from './shim-world.ts';

const documented = '/usr/local/sbin/lifehook-runtime';
const stages = ['createRuntime', 'poststart', 'poststop'];

let folder: string;
let runtime: string;
const daemons: ChildProcess[] = [];
const at = (name: string): string => join(folder, name);

/** The file of this name in the document, with the runtime of this test in it. */
async function snippet(name: string): Promise<string> {
  const [, rest = ''] = (await readFile('docs/container.md', 'utf8')).split(`cat >${name} <<'`);
  const [, ...lines] = rest.split('\n');
  const text = lines
    .slice(
      0,
      lines.findIndex((line) => /^(TOML|JSON)$/.test(line)),
    )
    .join('\n');
  expect(text).toContain(documented);
  return `${text.replaceAll(documented, runtime)}\n`;
}

async function startDaemon(name: string, args: readonly string[], ready: string): Promise<void> {
  const daemon = spawn(name, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  daemons.push(daemon);
  let said = '';
  daemon.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until(() => said.includes(ready), `${name} says: ${ready}`);
}

async function makeRootfs(): Promise<void> {
  for (const name of ['bin', 'proc', 'sys', 'dev']) {
    await mkdir(at(`rootfs/${name}`), { recursive: true });
  }
  await copyFile('/bin/busybox', at('rootfs/bin/sh'));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-engines-'));
  runtime = at('lifehook-runtime');
  await makeRootfs();
  await mkdir(at('hooks.d'));
  const hook = {
    path: '/bin/sh',
    args: [
      'sh',
      '-c',
      `echo $LIFEHOOK_STAGE >>${at('ran')}; [ ! -e ${at('refuse')} ] || { echo no licence left >&2; exit 4; }`,
    ],
  };
  const file = { version: '1.0.0', hook, when: { commands: ['^/bin/sh$'] }, stages };
  await writeFile(at('hooks.d/10-note.json'), JSON.stringify(file));
  const settings = { hooksDirs: [at('hooks.d')], index: at('hooks.index'), spool: at('spool') };
  await writeFile(at('runtime.json'), JSON.stringify(settings));
  const script = `#!/bin/sh\nLIFEHOOK_RUNTIME_CONFIG=${at('runtime.json')} exec ${WRAPPER} "$@"\n`;
  await writeFile(runtime, script, { mode: 0o755 });
  const places = `root = "${at('root')}"\nstate = "${at('state')}"\n[grpc]\n  address = "${at('sock')}"\n`;
  const config = (await snippet('config.toml')).replace('version = 2\n', `version = 2\n${places}`);
  await writeFile(at('config.toml'), config);
  await startDaemon('containerd', ['--config', at('config.toml')], 'successfully booted');
});

afterAll(async () => {
  for (const daemon of daemons.toReversed()) {
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill();
    await ended;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

beforeEach(async () => {
  await rm(at('refuse'), { force: true });
  await writeFile(at('ran'), '');
});

const ran = async (): Promise<string[]> =>
  (await readFile(at('ran'), 'utf8')).split('\n').filter((line) => line !== '');

describe('Podman', () => {
  it('takes the runtime of the documented configuration', async () => {
    await writeFile(at('containers.conf'), await snippet('containers.conf'));
    const places = ['--root', at('store'), '--runroot', at('run'), '--storage-driver', 'vfs'];
    const format = '{{.Host.OCIRuntime.Name}} {{.Host.OCIRuntime.Path}}';
    const env = { ...process.env, CONTAINERS_CONF: at('containers.conf') };
    const { stdout } = await finish(['podman', ...places, 'info', '--format', format], { env });
    expect(stdout).toBe(`lifehook ${runtime}\n`);
  });
});

describe('containerd', () => {
  const ctr = (...args: readonly string[]): Promise<Finished> =>
    finish(['ctr', '--address', at('sock'), ...args]);
  const run = (id: string): Promise<Finished> =>
    ctr(
      'run',
      '--rm',
      '--runc-binary',
      runtime,
      '--rootfs',
      at('rootfs'),
      id,
      '/bin/sh',
      '-c',
      'echo served',
    );

  it('runs the hooks of each stage of a container', async () => {
    expect(await run('web-1')).toMatchObject({ code: 0, stdout: 'served\n' });
    await expect.poll(ran, POLL).toEqual(stages);
  });

  it('shows what a hook that fails has printed, and leaves no container', async () => {
    await writeFile(at('refuse'), '');
    const { code, stderr } = await run('web-2');
    expect(code).not.toBe(0);
    expect(stderr).toContain('no licence left');
    expect((await ctr('containers', 'list', '--quiet')).stdout).toBe('');
  });

  it('reads the documented configuration of its CRI plugin', async () => {
    const { stdout } = await finish([
      'containerd',
      '--config',
      at('config.toml'),
      'config',
      'dump',
    ]);
    expect(stdout).toContain(`BinaryName = "${runtime}"`);
  });
});

describe('Docker', () => {
  const docker = (...args: readonly string[]): Promise<Finished> =>
    finish(['docker', '--host', `unix://${at('docker.sock')}`, ...args]);
  const run = (): Promise<Finished> =>
    docker(
      'run',
      '--rm',
      '--network',
      'none',
      '--runtime',
      'lifehook',
      'own',
      '/bin/sh',
      '-c',
      'echo served',
    );

  beforeAll(async () => {
    await writeFile(at('daemon.json'), await snippet('daemon.json'));
    const places = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')];
    const network = ['--bridge=none', '--iptables=false', '--ip-forward=false'];
    const options = [
      '--config-file',
      at('daemon.json'),
      ...places,
      ...network,
      '--storage-driver=vfs',
    ];
    const sockets = ['--host', `unix://${at('docker.sock')}`, '--containerd', at('sock')];
    await startDaemon('dockerd', [...options, ...sockets], 'API listen on');
    await finish(['tar', '-C', at('rootfs'), '-cf', at('image.tar'), '.']);
    expect(await docker('import', at('image.tar'), 'own')).toMatchObject({ code: 0 });
  });

  it('runs the hooks of each stage of a container', async () => {
    expect(await run()).toMatchObject({ code: 0, stdout: 'served\n' });
    await expect.poll(ran, POLL).toEqual(stages);
  });

  it('shows what a hook that fails has printed', async () => {
    await writeFile(at('refuse'), '');
    const { code, stderr } = await run();
    expect(code).not.toBe(0);
    expect(stderr).toContain('no licence left');
  });
});
