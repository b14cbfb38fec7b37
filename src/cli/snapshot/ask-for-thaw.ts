import { microTimeText } from '../../controller/kube-time.ts';
import type { KubeClient } from '../../kube/client.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { RELEASE } from '../../lifecycles/snapshot/names.ts';

/** By a person. The first cause stays: a hook that is being thawed already is left alone. */
export async function askForThaw(
  client: KubeClient,
  { metadata = {} }: ExecutionHook,
): Promise<void> {
  const { namespace = '', name = '', annotations = {} } = metadata;
  if (annotations[RELEASE] !== undefined) return;
  const body = { metadata: { annotations: { [RELEASE]: `Human@${microTimeText(Date.now())}` } } };
  await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
}
