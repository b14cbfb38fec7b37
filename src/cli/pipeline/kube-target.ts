/** The cluster of a pipeline, and the permissions of its hooks there. */
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { execInPod } from '../../kube/exec.ts';
import { readReferencedSecrets } from '../../kube/referenced-secrets.ts';
import { pods } from '../../kube/resources.ts';
import type { ClusterPort } from '../../lifecycles/pipeline/hooks/run-context.ts';
import type { ImagePort, KubeTarget } from '../../lifecycles/pipeline/session.ts';
import { LifehookError } from '../../model/problem.ts';
import { endingAuthPlugin } from '../../platform/node-auth-plugin.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { readRunning, usualStateFolder } from '../cluster/cluster-state.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import type { PipelineOptions } from './options.ts';

/**
 * required: the verb fails without a cluster. optional: a cluster is used if one is configured. none: no cluster is
 * used.
 */
export type ClusterNeed = 'required' | 'optional' | 'none';

export interface OpenTarget {
  readonly target: KubeTarget;
  readonly port: ClusterPort;
  readonly close: () => void;
}

interface Wanted {
  readonly need: ClusterNeed;
  /** The context that the configuration names; that of the command line has precedence. */
  readonly context: string | null;
  /** Interruptions of the session. */
  readonly signals: readonly CancelSignal[];
}

/** Opens the cluster. */
export async function openTarget(
  options: PipelineOptions,
  { need, context, signals }: Wanted,
): Promise<OpenTarget | null> {
  if (need === 'none') return null;
  const chosen = options.kubeContext ?? context ?? undefined;
  const cluster = await connect(options, { need, chosen, signals });
  if (cluster === null) return null;
  const { connection, client } = cluster;
  const target: KubeTarget = {
    client,
    connection,
    transport: connection.transport,
    context: cluster.context?.name ?? '',
    namespace: cluster.namespace,
    images: await localImages(cluster),
  };
  const port: ClusterPort = {
    exec: (request) => execInPod(connection, request),
    pods: async (namespaces) => {
      const lists = await Promise.all(
        namespaces.map((namespace) => client.list(pods, { namespace })),
      );
      return lists.flatMap(({ items }) => items);
    },
    secretsOf: (key) => {
      const { timers } = connection.platform;
      const after = (ms: number, callback: () => void): (() => void) => timers.after(ms, callback);
      return readReferencedSecrets({ client, after }, key);
    },
  };
  return { target, port, close: cluster.close };
}

/** The current context of the kubeconfig, by which profiles may be activated; null: there is no current context. */
export async function currentContextOf(options: PipelineOptions): Promise<string | null> {
  const chosen = options.kubeContext;
  const cluster = await connect(options, { need: 'optional', chosen, signals: [] });
  cluster?.close();
  return cluster?.context?.name ?? null;
}

interface Connecting extends Pick<Wanted, 'need' | 'signals'> {
  readonly chosen: string | undefined;
}

/**
 * Connects to the cluster. A kubeconfig may be missing or invalid if the user did not name it and the verb does not
 * require it.
 */
async function connect(
  { kubeconfig, kubeContext, namespace }: PipelineOptions,
  { need, chosen, signals }: Connecting,
): Promise<CliCluster | null> {
  try {
    return await connectToKube(
      {
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
        ...(chosen === undefined ? {} : { context: chosen }),
        ...(namespace === undefined ? {} : { namespace }),
      },
      'pipeline',
      endingAuthPlugin(signals),
    );
  } catch (error) {
    const isNamed = kubeconfig !== undefined || kubeContext !== undefined;
    if (!(error instanceof LifehookError) || need === 'required' || isNamed) throw error;
    return null;
  }
}

/** The image store of the local cluster in the kubeconfig context; null: the context is not that of a local cluster. */
async function localImages(
  cluster: Pick<CliCluster, 'context' | 'server'>,
): Promise<ImagePort | null> {
  const folder = await stateFolderAt(cluster);
  if (folder === null) return null;
  // Imported late: it imports tar and zlib, which a pipeline for another cluster does not need.
  const { imageStoreOf } = await import('../image-store-of.ts');
  const store = await imageStoreOf(folder);
  return {
    importImage: async ({ from, reference, config }) => {
      const given = config === undefined ? {} : { config };
      return (await store.importImage({ from, reference, ...given })).id;
    },
    idOf: async (reference) => (await store.resolve(reference))?.id ?? null,
    tag: async (existing, reference) => {
      await store.tag(existing, reference);
    },
  };
}

/**
 * The state directory of the local cluster. A cluster's own kubeconfig is in that directory. If it was merged into
 * another file, the cluster is found by the address of its server. That address must always match, because another
 * process may use the port of a stopped cluster.
 */
async function stateFolderAt({
  context,
  server,
}: Pick<CliCluster, 'context' | 'server'>): Promise<string | null> {
  if (context === null) return null;
  const isOf = async (folder: string): Promise<boolean> =>
    (await readRunning(folder))?.server === server;
  // A pipe, such as that of `<(command)` in a shell, has no path without links.
  const directory = dirname(await realpath(context.file).catch(() => context.file));
  if (await isOf(directory)) return directory;
  const usual = usualStateFolder();
  // null: there is no home directory, and therefore no local cluster. A pipeline for another cluster needs no home
  // directory.
  if (usual === null) return null;
  for (const name of await readdir(usual).catch((): string[] => [])) {
    if (await isOf(join(usual, name))) return join(usual, name);
  }
  return null;
}
