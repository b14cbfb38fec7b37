/**
 * The hook controller in this process, on the real cluster, in a namespace of its own. Commands in containers write
 * lines into a file of this machine, which is a volume of each pod.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import { execInPod, openExec } from '../../src/kube/exec.ts';
import { events, pods } from '../../src/kube/resources.ts';
import { makeHookController } from '../../src/lifecycles/snapshot/hook/hook-controller.ts';
import {
  type ExecutionHook,
  executionHooks,
  type ExecutionHookSpec,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { HOOK_FINALIZER } from '../../src/lifecycles/snapshot/names.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { defineSnapshotKinds } from '../fixtures/define-snapshot-kinds.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';
import { BASE_IMAGE } from './parameters.ts';

const LOG = '/log';

export interface HooksStand extends ClusterConnection, AsyncDisposable {
  readonly namespace: string;
  /**
   * Starts the controller with an administrator's access, or with the given fields in its place. Returns a function
   * that stops it.
   */
  start(access?: Partial<NodeTransportOptions>): () => Promise<void>;
  /** Creates an idle pod. Its label `app` is its name up to the last "-". */
  makePod(name: string, containers?: readonly string[]): Promise<void>;
  untilRunning(name: string): Promise<void>;
  /** Command that writes "word pod/container" into the log, and then runs the script. */
  say(word: string, script?: string): string[];
  log(): readonly string[];
  makeHook(name: string, spec: Partial<ExecutionHookSpec>): Promise<void>;
  hook(name: string): Promise<ExecutionHook>;
  until(name: string, what: string, isSo: (hook: ExecutionHook) => boolean): Promise<ExecutionHook>;
  annotate(name: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  /** Reasons of the Events about the hook. */
  reasons(name: string): Promise<readonly string[]>;
}

/** Long, since a machine needs minutes to start hundreds of containers. */
const PATIENCE_SECONDS = 900;

export async function openHooksStand(prefix: string): Promise<HooksStand> {
  const cluster = connectToCluster();
  const { client, connection } = cluster;
  const removeKinds = await defineSnapshotKinds(client);
  const { namespace, remove } = await makeNamespace(client, prefix);
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-hooks-'));
  const running = new Set<() => Promise<void>>();
  const stand: HooksStand = {
    ...cluster,
    namespace,
    start: (access = {}) => {
      const stop = startController(namespace, access);
      running.add(stop);
      return async () => {
        running.delete(stop);
        await stop();
      };
    },
    makePod: async (name, containers = ['app']) => {
      await client.create(pods, podOf(name, { namespace, folder, containers }));
    },
    untilRunning: async (name) => {
      await eventually(`${name} runs`, () => isRunning(stand, name), PATIENCE_SECONDS);
    },
    say: (word, script = ':') => ['sh', '-c', `echo "${word} $WHERE" >>${LOG}/log; ${script}`],
    log: () => linesOf(join(folder, 'log')),
    makeHook: async (name, spec) => {
      await client.create(executionHooks, { metadata: { name, namespace }, spec });
    },
    hook: (name) => client.get(executionHooks, { namespace, name }),
    until: async (name, what, isSo) =>
      eventually(
        `${name}: ${what}`,
        async () => {
          const hook = await stand.hook(name);
          return isSo(hook) && hook;
        },
        PATIENCE_SECONDS,
      ),
    annotate: async (name, annotations) => {
      const body = { metadata: { annotations: { ...annotations } } };
      await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
    },
    reasons: async (name) => {
      const { items } = await client.list(events, { namespace });
      const own = items.filter(({ involvedObject }) => involvedObject.name === name);
      return own.map(({ reason = '' }) => reason);
    },
    [Symbol.asyncDispose]: async () => {
      for (const stop of running) await stop();
      await removeHooks(stand);
      await remove();
      await eventually('the pods are deleted', () => isEmpty(stand), PATIENCE_SECONDS);
      await removeKinds();
      connection.transport.close();
      rmSync(folder, { recursive: true });
    },
  };
  return stand;
}

export const isFrozen = ({ status }: ExecutionHook): boolean => status?.preActionSucceed === true;

/** True if no target is frozen and the status records that. */
export const isSettled = ({ metadata, status }: ExecutionHook): boolean =>
  status?.release !== undefined && metadata?.finalizers?.includes(HOOK_FINALIZER) !== true;

function startController(
  namespace: string,
  access: Partial<NodeTransportOptions>,
): () => Promise<void> {
  const { connection, client } = connectToCluster(access);
  const informers = new SharedInformers({ watch: watchCluster(connection) });
  const recorder = new EventRecorder({
    client,
    component: 'lifehook-snapshot',
    platform,
    random: Math.random,
  });
  const containers = {
    exec: (options: Parameters<typeof execInPod>[1]) => execInPod(connection, options),
    openExec: (options: Parameters<typeof openExec>[1]) => openExec(connection, options),
    network: platform.network,
  };
  const controller = makeHookController({
    client,
    informers,
    scope: { namespace },
    recorder,
    platform,
    random: Math.random,
    freezing: containers,
    thawing: containers,
    observe: () => {},
    observeController: () => {},
  });
  const stop = new AbortController();
  const { signal } = stop;
  const ended = runManager({ informers, controllers: [controller], election: null, signal });
  return async () => {
    stop.abort();
    await ended;
    await recorder.stop();
    connection.transport.close();
  };
}

function podOf(
  name: string,
  of: {
    readonly namespace: string;
    readonly folder: string;
    readonly containers: readonly string[];
  },
): Pod {
  const { namespace, folder, containers } = of;
  return {
    metadata: { name, namespace, labels: { app: name.replace(/-\d+$/, '') } },
    spec: {
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      containers: containers.map((container) => ({
        name: container,
        image: BASE_IMAGE,
        imagePullPolicy: 'IfNotPresent',
        command: ['sleep', '100000'],
        env: [{ name: 'WHERE', value: `${name}/${container}` }],
        volumeMounts: [{ name: 'log', mountPath: LOG }],
      })),
      volumes: [{ name: 'log', hostPath: { path: folder } }],
    },
  };
}

async function isRunning({ client, namespace }: HooksStand, name: string): Promise<boolean> {
  const { spec, status } = await client.get(pods, { namespace, name });
  const all = (status?.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined);
  return all.length === spec?.containers.length;
}

/** Removes the finalizers too, because no controller is left to do it. */
async function removeHooks({ client, namespace }: HooksStand): Promise<void> {
  const { items } = await client.list(executionHooks, { namespace });
  for (const { metadata } of items) {
    const key = { namespace, name: metadata?.name ?? '' };
    const body = { metadata: { finalizers: [] } };
    await client.patch(executionHooks, key, { type: 'merge', body });
    await client.delete(executionHooks, key);
  }
}

async function isEmpty({ client, namespace }: HooksStand): Promise<boolean> {
  return (await client.list(pods, { namespace })).items.length === 0;
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
