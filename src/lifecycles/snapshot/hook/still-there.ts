/**
 * Checks on the server that a target still exists: before a freeze, while a thaw waits for a session helper, and after
 * the thaw of a lock that outlives its container.
 *
 * A container is addressed by its pod's name. Another pod may have got that name since the selection, because the write
 * of an intent, or the wait for another hook, may take long. A freeze in the new pod would never be thawed. Before a
 * freeze, the server is not asked twice within BELIEVED_MS: no pod is replaced and started in so short a time.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { bareResult } from '../../../engine/act.ts';
import { isReason } from '../../../kube/api-error.ts';
import type { CallOptions, KubeClient } from '../../../kube/client.ts';
import { pods } from '../../../kube/resources.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ContainerStatus } from '../kinds.ts';
import { statusOf } from './select-targets.ts';
import { hasEnded } from '../../../kube/pod-state.ts';

/** Milliseconds for which the pod that was read last is trusted. */
export const BELIEVED_MS = 1_000;
/** Timeout of a check in milliseconds. */
export const ASK_MS = 5_000;

type Call = CallOptions & { readonly namespace: string };

/** null: the target still exists. Otherwise the result of an attempt that was not started. Never rejects. */
export async function whyNotThere(
  client: KubeClient,
  target: ContainerStatus,
  call: Call,
): Promise<AttemptResult | null> {
  const { podName } = target;
  const found = await find(client, target, call);
  switch (found.kind) {
    case 'pod':
      return found.pod.metadata?.deletionTimestamp === undefined
        ? null
        : notSent(`the pod ${podName} is terminating`);
    case 'other':
    case 'none':
      return notSent(deletedText(target, found));
    case 'unknown':
      return notSent(`could not check whether ${podName} is still the same pod: ${found.why}`);
    default:
      return found satisfies never;
  }
}

/**
 * The reason why the selected container is not, or may not be, running in a pod that is not terminating; null: it is.
 * Never rejects.
 */
export async function whyNotSame(
  client: KubeClient,
  target: ContainerStatus,
  { namespace }: Call,
): Promise<string | null> {
  const { podName, containerName, containerID, restartCount } = target;
  const found = await find(client, target, { namespace, timeoutMs: ASK_MS });
  if (found.kind !== 'pod') return `it is not known whether the pod ${podName} still exists`;
  const now = statusOf(found.pod, containerName);
  // An evicted pod may keep the last state of its containers in its status.
  const isSame =
    !hasEnded(found.pod) &&
    found.pod.metadata?.deletionTimestamp === undefined &&
    now?.state?.running !== undefined &&
    now.containerID === containerID &&
    now.restartCount === restartCount;
  return isSame
    ? null
    : `the container ${containerName} of pod ${podName} has exited since, or is about to exit`;
}

/**
 * Why nothing may be sent to the pod's name any more; null: the pod exists, or that is not known. Never rejects.
 */
export async function whyDeleted(
  client: KubeClient,
  target: ContainerStatus,
  { namespace }: Call,
): Promise<string | null> {
  const found = await find(client, target, { namespace, timeoutMs: ASK_MS });
  return found.kind === 'other' || found.kind === 'none' ? deletedText(target, found) : null;
}

/** Why a command may have run in another pod; null: no new pod has the name, or that is not known. Never rejects. */
export async function whyOther(
  client: KubeClient,
  target: ContainerStatus,
  { namespace }: Call,
): Promise<string | null> {
  const found = await find(client, target, { namespace, timeoutMs: ASK_MS });
  return found.kind === 'other' ? deletedText(target, found) : null;
}

function deletedText(
  { podName }: ContainerStatus,
  { kind }: Extract<Found, { kind: 'other' | 'none' }>,
): string {
  const more = kind === 'other' ? ', and a new pod has its name' : '';
  return `the pod ${podName} is deleted${more}`;
}

/**
 * Whether another container runs in place of the selected one, so that all processes of the selected one have ended.
 * false: no other container runs, or that is not known. Never rejects.
 */
export async function isReplaced(
  client: KubeClient,
  target: ContainerStatus,
  { namespace }: Call,
): Promise<boolean> {
  const found = await find(client, target, { namespace, timeoutMs: ASK_MS });
  if (found.kind !== 'pod') return false;
  const now = statusOf(found.pod, target.containerName);
  return now?.state?.running !== undefined && now.containerID !== target.containerID;
}

type Found =
  | { readonly kind: 'pod'; readonly pod: Pod }
  | { readonly kind: 'other' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string };

async function find(
  client: KubeClient,
  { podName, podUID }: ContainerStatus,
  { namespace, ...call }: Call,
): Promise<Found> {
  try {
    const pod = await client.get(pods, { namespace, name: podName }, call);
    return pod.metadata?.uid === podUID ? { kind: 'pod', pod } : { kind: 'other' };
  } catch (error) {
    if (isReason(error, 'NotFound')) return { kind: 'none' };
    return { kind: 'unknown', why: errorText(error) };
  }
}

function notSent(why: string): AttemptResult {
  return bareResult('Failed', `The freeze was not sent: ${why}.`, 0);
}
