import type { KubeClient } from '../../src/kube/client.ts';
import type { ObjectKey } from '../../src/kube/object.ts';
import { deployments } from '../../src/kube/resources.ts';

/** Patches a Deployment again and again. `stop` resolves with the number of patches, or rejects if one was refused. */
export function keepChanging(client: KubeClient, key: ObjectKey): { stop(): Promise<number> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const writing = (async () => {
    let changes = 0;
    while (!signal.aborted) {
      changes += 1;
      const body = { metadata: { annotations: { change: String(changes) } } };
      await client.patch(deployments, key, { type: 'merge', body });
    }
    return changes;
  })();
  // `stop` returns the same promise and reports a failure. Until then it must not count as an unhandled rejection.
  writing.catch(() => {});
  return {
    stop: () => {
      stopping.abort();
      return writing;
    },
  };
}
