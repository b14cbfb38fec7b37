/** The cluster that a pipeline works on, and what its hooks may do there. */
import { LifehookError } from '../../model/problem.ts';
import { execInPod } from '../../kube/exec.ts';
import { readReferencedSecrets } from '../../kube/referenced-secrets.ts';
import { pods } from '../../kube/resources.ts';
import type { ClusterPort } from '../../lifecycles/pipeline/hooks/run-context.ts';
import type { KubeTarget } from '../../lifecycles/pipeline/session.ts';
import { type CliCluster, connectToKube } from '../kube-connection.ts';
import { localImages } from './local-images.ts';
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
