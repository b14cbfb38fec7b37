/** Lifehook installed on the real cluster as a user does it, with an image built here, and one application. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';

import { leases, pods } from '../../src/kube/resources.ts';
import { type Ended, kubectlPath, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { makeVolume, removeVolumes } from '../fixtures/api-cases/snapshots.ts';
import { loadOwnImage } from './install-image.ts';
import { BASE_IMAGE } from './parameters.ts';
import {
  type ClusterConnection,
  connectToCluster,
  kubeconfigPath,
  makeNamespace,
} from './real-cluster.ts';
import { startSnapshotter } from './snapshot-databases-cluster.ts';

export const SYSTEM = 'lifehook-system';
const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

const READY = ['rollout', 'status', 'deployment/lifehook-controller', '--timeout=200s'];

export interface InstallStand extends ClusterConnection, AsyncDisposable {
  /** Namespace of the application. */
  readonly namespace: string;
  /** Lines that the hooks of the application have written to the log in its volume. */
  hookLog(): readonly string[];
  /** Runs kubectl in the namespace of the application and resolves with its output. Throws if kubectl fails. */
  kubectl(...args: readonly string[]): Promise<string>;
  apply(manifest: string): Promise<string>;
  /** Runs the command. Also resolves if it fails. */
  lifehook(...args: readonly string[]): Promise<Ended>;
  /** Deletes with kubectl in the wrong order: first the controllers, and then everything else at once. */
  remove(image: string): Promise<void>;
  /** Installs Lifehook. Resolves when all replicas are ready. */
  install(image: string): Promise<void>;
  /** Installs Lifehook for the namespace of the application only. Resolves when all replicas are ready. */
  installHere(image: string): Promise<void>;
  /** Name of the pod that leads. */
  leader(): Promise<string>;
}

export async function openInstall(): Promise<InstallStand> {
  await loadOwnImage();
  const cluster = connectToCluster();
  const { client, connection } = cluster;
  const { namespace, remove } = await makeNamespace(client, 'install');
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-install-'));
  const stopSnapshotter = await startSnapshotter(cluster, namespace);
  const kubeconfig = kubeconfigPath();
  const admin = ['--kubeconfig', kubeconfig];
  const here = [...admin, '--namespace', namespace];
  const own = ['--namespace', SYSTEM];
  const kubectlWith = async (stdin: string, ...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(kubectlPath(), [...here, ...args], stdin);
    expect(code, `kubectl ${args.join(' ')}: ${stderr}${stdout}`).toBe(0);
    return stdout;
  };
  const lifehook: InstallStand['lifehook'] = (...args) =>
    run(process.execPath, [PROGRAM, ...args, ...admin]);
  const rendered = async (image: string, ...more: readonly string[]): Promise<string> =>
    (await run(process.execPath, [PROGRAM, 'install', '--image', image, ...more])).stdout;
  const path = await makeVolume({ client, namespace, folder }, 'data');
  await kubectlWith(application(), 'apply', '-f', '-');
  return {
    ...cluster,
    namespace,
    hookLog: () => linesOf(join(path, 'log')),
    kubectl: (...args) => kubectlWith('', ...args),
    apply: (manifest) => kubectlWith(manifest, 'apply', '-f', '-'),
    lifehook,
    remove: async (image) => {
      await kubectlWith('', ...own, 'delete', 'deployment', 'lifehook-controller');
      await kubectlWith('', ...own, 'wait', 'pods', '--all', '--for=delete', '--timeout=200s');
      const all = ['delete', '--wait=false', '--ignore-not-found', '-f', '-'];
      await kubectlWith(await rendered(image), ...own, ...all);
    },
    install: async (image) => {
      await kubectlWith(await rendered(image), ...own, 'apply', '-f', '-');
      await kubectlWith('', ...own, ...READY);
    },
    installHere: async (image) => {
      const options = ['--namespaced', '--namespace', namespace];
      await kubectlWith(await rendered(image, ...options), 'apply', '-f', '-');
      await kubectlWith('', ...READY);
    },
    leader: () =>
      eventually('somebody leads', async () => {
        const { spec } = await client.get(leases, {
          namespace: SYSTEM,
          name: 'lifehook-controller',
        });
        const holder = spec?.holderIdentity ?? '';
        const { items } = await client.list(pods, { namespace: SYSTEM });
        const names = items.map(({ metadata }) => metadata?.name ?? '');
        return names.find((name) => name !== '' && holder.startsWith(`${name}-`));
      }),
    [Symbol.asyncDispose]: async () => {
      await lifehook('uninstall', '--yes');
      // The snapshotter must still run here, because it removes the finalizers of the VolumeSnapshots.
      await kubectlWith('', 'delete', 'volumesnapshots', '--all');
      await remove();
      await removeVolumes({ client, namespace });
      await stopSnapshotter();
      connection.transport.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Empty until the first hook writes the file. */
function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}

/** A database with its volume, and a server whose rollouts are gated. */
function application(): string {
  const serve = 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';
  const deployment = (name: string, volume: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: main
          image: ${BASE_IMAGE}
          imagePullPolicy: IfNotPresent
          command: [sh, -c, '${serve}']
          env: [{ name: VERSION, value: '1' }]
${volume}`;
  const volume = `          volumeMounts: [{ name: data, mountPath: /data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
  return `${deployment('db', volume)}---${deployment('web', '')}`;
}

/** Freeze and thaw each add a line to the log of the volume. */
export const ACTIONS = `
preAction: { exec: { command: [sh, -c, 'echo freeze >> /data/log'] } }
postAction: { exec: { command: [sh, -c, 'echo thaw >> /data/log'] } }
`;
