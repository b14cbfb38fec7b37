/** Creates and deletes pods, emits their Events, and records expectations for the next reconcile. */
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { aboutObject, type EventRecorder } from '../../../../../src/controller/event-recorder.ts';
import type { Expectations } from '../../../../../src/controller/expectations.ts';
import { isNamespaceTerminating, isReason } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import type { KubeObject, Resource, OwnerReference } from '../../../../../src/kube/object.ts';
import { pods } from '../../../../../src/kube/resources.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import { allAtOnce, type SlowStart, slowStart } from './slow-start.ts';

export interface PodRequests {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly expectations: Expectations;
  readonly ownerResource: Resource;
  readonly owner: KubeObject;
}

/** The pods that one reconcile creates or deletes. */
export type PodPlan =
  | { readonly kind: 'even' }
  | { readonly kind: 'create'; readonly count: number }
  | { readonly kind: 'delete'; readonly pods: readonly Pod[] };

/** Creates pods that `newPod` describes, or deletes pods. A terminating namespace is not a failure. */
export async function carryOutPods(
  requests: PodRequests,
  plan: PodPlan,
  newPod: () => Pod,
): Promise<SlowStart> {
  switch (plan.kind) {
    case 'even':
      return { done: 0, failure: null };
    case 'delete':
      return allAtOnce(plan.pods, (pod) => deletePod(requests, pod));
    case 'create': {
      const made = await slowStart(plan.count, () => createPod(requests, newPod()));
      const namespaceEnds = made.failure !== null && isNamespaceTerminating(made.failure.error);
      return namespaceEnds ? { ...made, failure: null } : made;
    }
    default:
      return plan satisfies never;
  }
}

async function createPod(requests: PodRequests, pod: Pod): Promise<void> {
  const { client, expectations, owner } = requests;
  try {
    const made = await expectations.create(uidOf(owner), () => client.create(pods, pod));
    recordEvent(requests, 'SuccessfulCreate', `Created pod: ${made.metadata?.name ?? ''}`);
  } catch (error) {
    if (!isNamespaceTerminating(error))
      warn(requests, 'FailedCreate', `Error creating: ${errorText(error)}`);
    throw error;
  }
}

/** A pod that was already deleted is not an error. */
async function deletePod(requests: PodRequests, pod: Pod): Promise<void> {
  const { client, expectations, owner } = requests;
  const { namespace = '', name = '' } = pod.metadata ?? {};
  const uid = uidOf(pod);
  try {
    await expectations.delete(uidOf(owner), uid, () =>
      client.delete(pods, { namespace, name }, { preconditions: { uid } }),
    );
    recordEvent(requests, 'SuccessfulDelete', `Deleted pod: ${name}`);
  } catch (error) {
    if (isReason(error, 'NotFound', 'Conflict')) return;
    warn(requests, 'FailedDelete', `Error deleting: ${errorText(error)}`);
    throw error;
  }
}

function recordEvent(
  { recorder, ownerResource, owner }: PodRequests,
  reason: string,
  message: string,
): void {
  recorder.record({ about: aboutObject(ownerResource, owner), type: 'Normal', reason, message });
}

function warn(
  { recorder, ownerResource, owner }: PodRequests,
  reason: string,
  message: string,
): void {
  recorder.record({ about: aboutObject(ownerResource, owner), type: 'Warning', reason, message });
}

function uidOf({ metadata }: KubeObject): string {
  return metadata?.uid ?? '';
}

/** Parameters of `podFromTemplate`, which builds a pod from a template. */
interface PodOfTemplate {
  readonly namespace: string;
  /** Such as "web-5d59d67564-"; the server adds five characters. */
  readonly generateName: string;
  readonly owner: OwnerReference;
  readonly template: PodTemplateSpec;
}

export function podFromTemplate({ namespace, generateName, owner, template }: PodOfTemplate): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const metadata: NonNullable<Pod['metadata']> = {
    namespace,
    generateName,
    ownerReferences: [owner],
  };
  if (labels !== undefined) metadata.labels = { ...labels };
  if (annotations !== undefined) metadata.annotations = { ...annotations };
  if (finalizers !== undefined) metadata.finalizers = [...finalizers];
  const pod: Pod = { metadata };
  if (template.spec !== undefined) pod.spec = template.spec;
  return pod;
}
