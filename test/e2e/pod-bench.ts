/** Pods on a local cluster with one runner, as a user sees them. */
import type { ContainerStatus, Pod, PodSpec } from 'kubernetes-types/core/v1.js';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { events, pods } from '../../src/kube/resources.ts';
import { isReason } from '../../src/kube/api-error.ts';
import { execInPod } from '../../src/kube/exec.ts';
import type { LogOptions } from '../../src/kube/logs.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { podLog } from './pod-log.ts';

export type RunnerName = 'process' | 'runc';

export interface Bench extends AsyncDisposable {
  readonly cluster: ClusterStand;
  readonly runner: RunnerName;
  /** Path of the volume of that name. For a plain process it is below its working directory. */
  readonly at: (name: string) => string;
  /** A container that runs a shell script. */
  readonly container: (
    script: string,
    more?: Partial<PodSpec['containers'][number]>,
  ) => PodSpec['containers'][number];
  readonly create: (
    name: string,
    spec: Partial<PodSpec>,
    metadata?: Pod['metadata'],
  ) => Promise<void>;
  readonly get: (name: string) => Promise<Pod>;
  /** Resolves with the pod once `holds` is true for it. */
  readonly until: (name: string, what: string, holds: (pod: Pod) => boolean) => Promise<Pod>;
  /** Status of the first container, or of the named one, init containers included. */
  readonly status: (pod: Pod, container?: string) => ContainerStatus | undefined;
  readonly running: (name: string) => Promise<Pod>;
  readonly logs: (name: string, options?: Omit<LogOptions, 'namespace' | 'pod'>) => Promise<string>;
  readonly exec: (name: string, script: string) => Promise<string>;
  /** Events of the pod as "Reason: message", oldest first. */
  readonly events: (name: string) => Promise<readonly string[]>;
  /** Deletes the pod; resolves once it is removed. */
  readonly remove: (name: string, graceSeconds?: number) => Promise<void>;
}

const NAMESPACE = 'default';

export async function openBench(runner: RunnerName): Promise<Bench> {
  const cluster = await openCluster('--runner', runner);
  const image = runner === 'process' ? 'none' : await importBusybox(cluster);
  return benchOf(cluster, runner, image);
}

function benchOf(cluster: ClusterStand, runner: RunnerName, image: string): Bench {
  const { client } = cluster;
  const get = (name: string): Promise<Pod> => client.get(pods, { namespace: NAMESPACE, name });
  const until: Bench['until'] = (name, what, holds) =>
    eventually(`${name}: ${what}`, async () => {
      const pod = await get(name);
      return holds(pod) && pod;
    });
  const status: Bench['status'] = (pod, container) => {
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    if (container === undefined) return containerStatuses[0];
    return [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
  };
  return {
    cluster,
    runner,
    at: (name) => (runner === 'process' ? name : `/${name}`),
    container: (script, more = {}) => ({
      name: 'app',
      image,
      command: ['sh', '-c', script],
      ...more,
    }),
    create: async (name, spec, metadata = {}) => {
      const base = { terminationGracePeriodSeconds: 1, containers: [] };
      await client.create(pods, {
        metadata: { ...metadata, name, namespace: NAMESPACE },
        spec: { ...base, ...spec },
      });
    },
    get,
    until,
    status,
    running: (name) => until(name, 'runs', (pod) => status(pod)?.state?.running !== undefined),
    logs: (name, options) =>
      podLog(cluster.connection, { namespace: NAMESPACE, pod: name, ...options }),
    exec: (name, script) => outputIn(cluster, name, script),
    events: async (name) => {
      const fieldSelector = `involvedObject.name=${name}`;
      const { items } = await client.list(events, { namespace: NAMESPACE, fieldSelector });
      return items.map(({ reason = '', message = '' }) => `${reason}: ${message}`);
    },
    remove: async (name, graceSeconds) => {
      const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
      await client.delete(pods, { namespace: NAMESPACE, name }, grace);
      await eventually(`${name} is gone`, () => isDeleted(get(name)));
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** Runs a script in the pod and returns its output; throws if the script fails. */
async function outputIn(cluster: ClusterStand, pod: string, script: string): Promise<string> {
  const said = { stdout: '', stderr: '' };
  const end = await execInPod(cluster.connection, {
    namespace: NAMESPACE,
    pod,
    command: ['sh', '-c', script],
    onOutput: (stream, bytes) => {
      said[stream] += Buffer.from(bytes).toString();
    },
  });
  if (end.outcome !== 'exited' || end.exitCode !== 0) {
    throw new Error(`exec in ${pod}: ${JSON.stringify(end)}: ${said.stderr}`);
  }
  return said.stdout;
}

async function isDeleted(getting: Promise<Pod>): Promise<boolean> {
  try {
    await getting;
    return false;
  } catch (error) {
    if (isReason(error, 'NotFound')) return true;
    throw error;
  }
}

const APPLETS = 'sh sleep cat ls env date nc grep kill id stat touch mkdir seq head mount';

/** Imports an image from a root directory with a static busybox. */
async function importBusybox(cluster: ClusterStand): Promise<string> {
  const root = join(cluster.folder, 'box');
  await mkdir(join(root, 'bin'), { recursive: true });
  await copyFile('/bin/busybox', join(root, 'bin', 'busybox'));
  for (const name of APPLETS.split(' ')) await symlink('busybox', join(root, 'bin', name));
  const { code, stderr } = await cluster.lifehook('image', 'import', root, 'box:1');
  if (code !== 0) throw new Error(`lifehook image import: ${stderr}`);
  return 'box:1';
}
