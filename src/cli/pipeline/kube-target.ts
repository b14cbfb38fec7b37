/** The cluster that a pipeline works on, and what its hooks may do there. */
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { execInPod } from '../../kube/exec.ts';
import { readReferencedSecrets } from '../../kube/referenced-secrets.ts';
import { pods } from '../../kube/resources.ts';
import type { ClusterPort } from '../../lifecycles/pipeline/hooks/run-context.ts';
import type { ImagePort, KubeTarget } from '../../lifecycles/pipeline/session.ts';
import { LifehookError } from '../../model/problem.ts';
import { readRunning, usualStateFolder } from '../cluster/cluster-state.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import type { PipelineOptions } from './options.ts';

/** required: without one the verb ends; optional: where one is known it is used; none: none is asked. */
export type ClusterNeed = 'required' | 'optional' | 'none';

export interface OpenTarget {
  readonly target: KubeTarget;
  readonly port: ClusterPort;
  readonly close: () => void;
}

/** `context` is what the configuration names; the command line's comes before it. */
export async function openTarget(
  options: PipelineOptions,
  { need, context }: { readonly need: ClusterNeed; readonly context: string | null },
): Promise<OpenTarget | null> {
  if (need === 'none') return null;
  const chosen = options.kubeContext ?? context ?? undefined;
  const cluster = await connect(options, { need, chosen });
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

/** Of the kubeconfig, for the activation of profiles; null: there is none. */
export async function currentContextOf(options: PipelineOptions): Promise<string | null> {
  const cluster = await connect(options, { need: 'optional', chosen: options.kubeContext });
  cluster?.close();
  return cluster?.context?.name ?? null;
}

/** A kubeconfig that nobody named and nobody needs may be missing, or be broken. */
async function connect(
  { kubeconfig, kubeContext, namespace }: PipelineOptions,
  { need, chosen }: { readonly need: ClusterNeed; readonly chosen: string | undefined },
): Promise<CliCluster | null> {
  try {
    return await connectToKube(
      {
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
        ...(chosen === undefined ? {} : { context: chosen }),
        ...(namespace === undefined ? {} : { namespace }),
      },
      'pipeline',
    );
  } catch (error) {
    const isNamed = kubeconfig !== undefined || kubeContext !== undefined;
    if (!(error instanceof LifehookError) || need === 'required' || isNamed) throw error;
    return null;
  }
}

/**
 * The image store of a `lifehook up` cluster, where a kubeconfig context means one that runs on this machine.
 * null: another cluster.
 */
async function localImages(
  cluster: Pick<CliCluster, 'context' | 'server'>,
): Promise<ImagePort | null> {
  const folder = await stateFolderAt(cluster);
  if (folder === null) return null;
  // With it come tar and zlib, which a pipeline for another cluster need not wait for.
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
 * A cluster's own kubeconfig lies in its state folder; one that was merged into another file is known by its server.
 * What counts is the server: a port is free for others when its cluster is down.
 */
async function stateFolderAt({
  context,
  server,
}: Pick<CliCluster, 'context' | 'server'>): Promise<string | null> {
  if (context === null) return null;
  const isOf = async (folder: string): Promise<boolean> =>
    (await readRunning(folder))?.server === server;
  const beside = dirname(await realpath(context.file));
  if (await isOf(beside)) return beside;
  const usual = usualStateFolder();
  // Without a home directory no local cluster can be there, and a pipeline for another cluster needs none.
  if (usual === null) return null;
  for (const name of await readdir(usual).catch((): string[] => [])) {
    if (await isOf(join(usual, name))) return join(usual, name);
  }
  return null;
}
