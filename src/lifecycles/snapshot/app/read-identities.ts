/** Reads from the server, after the thaw, whether the frozen containers are still the same. */
import type { ContainerStatus as PodContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { pods } from '../../../kube/resources.ts';
import type { ContainerStatus, ExecutionHook } from '../kinds.ts';
import type { Identity, IdentityOf } from './evidence.ts';

/** Maximum number of requests in parallel. */
const AT_ONCE = 10;

export async function readIdentities(
  client: KubeClient,
  namespace: string,
  hooks: readonly ExecutionHook[],
): Promise<IdentityOf> {
  const targets = hooks.flatMap(({ status }) => status?.containerExecutionHookStatuses ?? []);
  const names = [...new Set(targets.map(({ podName }) => podName))];
  const found = new Map<string, Pod | null>();
  for (let start = 0; start < names.length; start += AT_ONCE) {
    await Promise.all(
      names.slice(start, start + AT_ONCE).map(async (name) => {
        found.set(name, await getOrNull(client, pods, { namespace, name }));
      }),
    );
  }
  return (target) => identityOf(target, found.get(target.podName));
}

export function identityOf(target: ContainerStatus, pod: Pod | null | undefined): Identity {
  if (pod === undefined) return 'Unknown';
  if (pod?.metadata?.uid !== target.podUID) return 'Gone';
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const now = [...containerStatuses, ...initContainerStatuses].find(
    ({ name }) => name === target.containerName,
  );
  return now !== undefined && isSame(now, target) ? 'Same' : 'Changed';
}

function isSame(now: PodContainerStatus, target: ContainerStatus): boolean {
  return (
    now.state?.running !== undefined &&
    now.containerID === target.containerID &&
    now.restartCount === target.restartCount
  );
}
