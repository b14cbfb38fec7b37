/**
 * Builds the directories of examples/pipeline with buildah, and runs them in containers of an OCI runtime.
 * Their Dockerfiles start from scratch and use Debian's static busybox. One container restarts during the session.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ClusterStand, openCluster } from '../e2e/cluster-stand.ts';
import type { Project, Started } from '../e2e/pipeline-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { linesOf, openExample } from '../fixtures/pipeline/example.ts';

/** The limits that a container without CAP_SYS_RESOURCE may set, and settings for cgroups v1. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`;

const LAST = 'deploy env-propagation';

/** Functions that close everything that was opened. They also run after a failed setup. */
const closers: (() => void | PromiseLike<void>)[] = [];
let cluster: ClusterStand;
let project: Project;
let dev: Started;

/** One session deploys all four examples. */
beforeAll(async () => {
  const storage = mkdtempSync(join(tmpdir(), 'lifehook-buildah-'));
  closers.push(() => {
    rmSync(storage, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const [conf, storageConf] = [join(storage, 'containers.conf'), join(storage, 'storage.conf')];
  writeFileSync(conf, CONTAINERS_CONF);
  writeFileSync(
    storageConf,
    `[storage]\ndriver = "vfs"\ngraphroot = "${storage}/store"\nrunroot = "${storage}/run"\n`,
  );
  cluster = await openCluster('--runner', 'runc');
  closers.push(() => cluster[Symbol.asyncDispose]());
  project = openExample('.', cluster.kubeconfig);
  closers.push(() => {
    project[Symbol.dispose]();
  });
  dev = project.start(['dev', '-f', 'buildah/skaffold.yaml', '--container-program', 'buildah'], {
    CONTAINERS_CONF: conf,
    CONTAINERS_STORAGE_CONF: storageConf,
  });
  closers.push(async () => {
    dev.child.kill('SIGKILL');
    await dev.ended;
  });
  // Each line has its own time limit.
  for (const one of ['build leeroy-web', 'build greeter', 'deploy node-example', LAST]) {
    await dev.seen(`${one}: done`);
  }
});

afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function ok(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(...args);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

const imageOf = (name: string): Promise<string> =>
  ok('get', 'deployment', name, '-o', 'jsonpath={.spec.template.spec.containers[0].image}');

describe('examples/pipeline/buildah', () => {
  it('build: the image contains the files that hooks wrote, and has its own root filesystem', async () => {
    expect(await imageOf('leeroy-web')).toMatch(/^leeroy-web:[0-9a-f]{64}$/u);
    // A pod runs a moment before its first line is in the log.
    await expect
      .poll(() => ok('logs', 'deployment/leeroy-web'))
      .toBe('hello from the shared package\nset up for leeroy-web');
    expect(await ok('exec', 'deployment/leeroy-web', '--', 'sh', '-c', 'pwd; ls /')).toBe(
      '/app\napp\nbin\ndev\netc\nproc\nsys',
    );
    const said = linesOf(dev.out(), /^build\/leeroy-web$/u).join('\n');
    expect(said).toContain('FROM busybox');
  });

  it('environment: a variable that a hook has set is in the tag and in later hooks', async () => {
    expect(await imageOf('greeter')).toBe('greeter:1.4.2');
    expect(linesOf(dev.out(), /greeter\/before\/2/u)).toEqual([
      'FOO is BAR, VERSION is 1.4.2, the image is greeter:1.4.2',
    ]);
    expect(linesOf(dev.out(), /^env-propagation:deploy/u)).toEqual(['deployed 1.4.2 with ***']);
  });

  it('deploy: a hook on the host tests the deployment, and commands run in each of its containers', async () => {
    expect(await imageOf('web')).toMatch(/^docker\.io\/local\/busybox:[0-9a-f]{64}$/u);
    expect(linesOf(dev.out(), /^deployment-tests:deploy\/kubectl\/after\/0$/u)).toEqual([
      'tested in default',
    ]);
    expect(linesOf(dev.out(), /^deployment-tests:deploy\/kubectl\/after\/2 /u)).toEqual([
      'and so has its helper',
    ]);
  });

  it('sync: a changed file is copied into the running container, and a command there processes it', async () => {
    const pods = await ok('get', 'pods', '-l', 'app=node-example', '-o', 'name');
    const source = project.read('sync/node/src/greet.js');
    project.write('sync/node/src/greet.js', source.replaceAll('hello', 'good morning'));
    await dev.seen('sync node-example: done');
    expect(await greeting()).toBe('good morning');
    expect(await ok('get', 'pods', '-l', 'app=node-example', '-o', 'name')).toBe(pods);
  });

  it('sync: a container that restarts gets the synced files again, with a warning (PIPE-D5)', async () => {
    const [pod = ''] = (await ok('get', 'pods', '-l', 'app=node-example', '-o', NAMES)).split(' ');
    process.kill(sleeperOf(pod), 'SIGKILL');
    await dev.seen(`warning LHL501: default/${pod}/node restarted without`);
    await eventually('it is synced again', () =>
      Promise.resolve(dev.out().match(/sync node-example: done/gu)?.length === 2 ? true : null),
    );
    expect(await greeting()).toBe('good morning');
    expect(await ok('get', 'pod', pod, '-o', RESTARTS)).toBe('1');
    expect(linesOf(dev.out(), /^node-example:sync\/node-example\/after\/0 /u)).toHaveLength(2);
  });

  it('sync: a changed file that no rule syncs is built into a new image and pod although the tag is the same', async () => {
    project.write(
      'sync/node/start.sh',
      project.read('sync/node/start.sh').replace('raw min', 'raw min; echo anew'),
    );
    await eventually('the pod is a new one', async () =>
      (await ok('logs', 'deployment/node-example')).includes('anew') ? true : null,
    );
    expect(await imageOf('node-example')).toMatch(/^node-example:latest@sha256:[0-9a-f]{64}$/u);
  });

  it('Ctrl-C deletes all deployments of the session', async () => {
    dev.child.kill('SIGINT');
    expect((await dev.ended).code).toBe(0);
    await eventually('no deployment is left', async () =>
      (await ok('get', 'deployments', '-o', 'name')) === '' ? true : null,
    );
  });
});

const NAMES = 'jsonpath={.items[*].metadata.name}';
const RESTARTS = 'jsonpath={.status.containerStatuses[0].restartCount}';

/** The host's pid of the container's first process, which no process inside the container can kill. */
function sleeperOf(pod: string): number {
  const found = readdirSync('/proc').find((name) => {
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('sleep\x0086400')) return false;
      return readFileSync(`/proc/${name}/root/etc/hostname`, 'utf8').trim() === pod;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`no process of ${pod} was found`);
  return Number(found);
}

async function greeting(): Promise<string> {
  const text = await ok('exec', 'deployment/node-example', '--', 'cat', 'min/greet.js');
  return /`(.*), /u.exec(text)?.[1] ?? text;
}
