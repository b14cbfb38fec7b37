/**
 * A container is reached by its pod's name, and another pod may have come under that name since it was chosen
 * (the write of an intent may take long, a hold may last). What it froze there nobody would thaw, so that the
 * server is asked once more before a freeze leaves, unless it was asked a moment ago: a pod and its container
 * do not come in so short a time.
 */
import { describe } from '../../../controller/describe-error.ts';
import { bareResult } from '../../../engine/bare-result.ts';
import { isReason } from '../../../kube/api-error.ts';
import type { CallOptions, KubeClient } from '../../../kube/client.ts';
import { pods } from '../../../kube/resources.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { ContainerStatus } from '../kinds.ts';

/** How long what was read of a pod is believed, milliseconds. */
export const BELIEVED_MS = 1_000;

/** null: it is. Else the attempt as it ended: nothing was sent. Never rejects. */
export async function whyNotThere(
  client: KubeClient,
  { podName, podUID }: ContainerStatus,
  { namespace, ...call }: CallOptions & { readonly namespace: string },
): Promise<AttemptResult | null> {
  try {
    const { metadata } = await client.get(pods, { namespace, name: podName }, call);
    if (metadata?.uid === podUID) return null;
    return notSent(`the pod ${podName} is gone, and another of its name has come`);
  } catch (error) {
    if (isReason(error, 'NotFound')) return notSent(`the pod ${podName} is gone`);
    return notSent(
      `whether the pod ${podName} is still the same could not be asked: ${describe(error)}`,
    );
  }
}

function notSent(why: string): AttemptResult {
  return bareResult('Failed', `The freeze was not sent: ${why}.`, 0);
}
