/**
 * Reads the pods and nodes for the choice of targets. It reads from the server, since a cache may lack the newest
 * objects.
 */
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

import { ApiError } from '../../../kube/api-error.ts';
import type { CallOptions, KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { nodes, pods } from '../../../kube/resources.ts';
import type { HookTargets } from '../kinds.ts';
import { RESCUE_POD } from '../names.ts';
import { labelSelectorText } from '../../../kube/label-selector.ts';

/** Up to this number of objects, each is read alone; more are read as a list. */
const SINGLE_READS_MAX = 8;

/** The named pods that exist, or those that the selector selects; an empty selector selects the whole namespace. */
export async function readPods(
  client: KubeClient,
  { podContainerNamesList: list, podSelector = {} }: HookTargets,
  { namespace, ...call }: CallOptions & { readonly namespace: string },
): Promise<readonly Pod[]> {
  if (list === undefined) {
    const labelSelector = labelSelectorText(podSelector);
    const { items } = await client.list(pods, {
      namespace,
      ...(labelSelector === '' ? {} : { labelSelector }),
      ...call,
    });
    return items.filter(({ metadata }) => metadata?.labels?.[RESCUE_POD] === undefined);
  }
  const names = new Set(list.map(({ podName }) => podName));
  if (names.size > SINGLE_READS_MAX) {
    const { items } = await client.list(pods, { namespace, ...call });
    return items.filter(({ metadata }) => names.has(metadata?.name ?? ''));
  }
  const reader: Pick<KubeClient, 'get'> = {
    get: (resource, key) => client.get(resource, key, call),
  };
  const found = await Promise.all(
    [...names].map((name) => getOrNull(reader, pods, { namespace, name })),
  );
  return found.filter((pod) => pod !== null);
}

/** The names of nodes of these pods that are known to be not ready. A node that we may not read counts as ready. */
export async function readLostNodes(
  client: KubeClient,
  found: readonly Pod[],
): Promise<ReadonlySet<string>> {
  const names = new Set(found.flatMap(({ spec }) => spec?.nodeName ?? []));
  if (names.size === 0) return new Set();
  try {
    const all = await readNodes(client, names);
    const lost = all.filter((node) => names.has(node.metadata?.name ?? '') && !isReady(node));
    return new Set(lost.map(({ metadata }) => metadata?.name ?? ''));
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return new Set();
    throw error;
  }
}

async function readNodes(client: KubeClient, names: ReadonlySet<string>): Promise<readonly Node[]> {
  if (names.size > SINGLE_READS_MAX) return (await client.list(nodes)).items;
  const found = await Promise.all([...names].map((name) => getOrNull(client, nodes, { name })));
  return found.filter((node) => node !== null);
}

function isReady({ status }: Node): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True';
}
