/**
 * Lets a test delay the moment at which a CSI driver cuts a volume. Before the driver's sidecar calls the driver, it
 * marks the content with an annotation. A webhook of the test delays that write until the test allows the cut. The
 * webhook affects the contents of one namespace only.
 */
import type { ValidatingWebhookConfiguration } from 'kubernetes-types/admissionregistration/v1.js';

import { isReason } from '../../src/kube/api-error.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { JsonObject, KubeObject, Resource } from '../../src/kube/object.ts';
import { validatingWebhookConfigurations } from '../../src/kube/resources.ts';
import { type Reference, contents } from '../../src/kube/snapshots.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { WebhookServer } from '../fixtures/webhook-server.ts';

/** A VolumeSnapshotContent or a VolumeGroupSnapshotContent. */
export interface MarkedContent extends KubeObject {
  readonly spec: {
    readonly volumeSnapshotRef?: Reference;
    readonly volumeGroupSnapshotRef?: Reference;
  };
}

export interface HeldCuts {
  /**
   * Sets the function that is called once for each content whose cut is about to begin. The cut begins when the promise
   * of that call resolves.
   */
  onCut(before: (content: MarkedContent) => Promise<void>): void;
  remove(): Promise<void>;
}

/** The longest webhook timeout that Kubernetes permits. */
const TIMEOUT_SECONDS = 30;
const MARKS = [
  'snapshot.storage.kubernetes.io/volumesnapshot-being-created',
  'groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-being-created',
];
const TRIAL = 'trial';

/** Resolves when the server calls the webhook. */
export async function holdCuts(
  client: KubeClient,
  webhooks: WebhookServer,
  namespace: string,
): Promise<HeldCuts> {
  const name = `${namespace}.example.com`;
  const path = `/cuts/${namespace}`;
  let before: (content: MarkedContent) => Promise<void> = async () => {};
  // One promise for each content. The server may call the webhook twice for one write, if another write came first.
  const holds = new Map<string, Promise<void>>();
  const hold = (content: MarkedContent): Promise<void> => {
    const uid = content.metadata?.uid ?? '';
    const held = holds.get(uid) ?? before(content);
    holds.set(uid, held);
    return held;
  };
  webhooks.reply(path, async ({ object }) => {
    const content = object as unknown as MarkedContent;
    const isTrial = content.metadata?.annotations?.[TRIAL] !== undefined;
    if (!isTrial) await hold(content);
    return isTrial
      ? { allowed: false, status: { code: 403, reason: 'Forbidden' } }
      : { allowed: true };
  });
  await client.create(validatingWebhookConfigurations, {
    metadata: { name },
    webhooks: [{ name, ...webhook(namespace), clientConfig: webhooks.client(path) }],
  } as unknown as ValidatingWebhookConfiguration);
  const content = trialContent(namespace);
  await eventually('the server calls the webhook', () => isRefused(client, contents, content));
  return {
    onCut: (next) => {
      before = next;
    },
    remove: async () => {
      await client.delete(validatingWebhookConfigurations, { name });
    },
  };
}

function webhook(namespace: string): JsonObject {
  const isMarked = (object: string): string =>
    `(${object} != null && has(${object}.metadata.annotations) && mark in ${object}.metadata.annotations)`;
  const ref =
    '(has(object.spec.volumeSnapshotRef) ? object.spec.volumeSnapshotRef : object.spec.volumeGroupSnapshotRef)';
  const marks = JSON.stringify(MARKS);
  return {
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    timeoutSeconds: TIMEOUT_SECONDS,
    rules: [
      {
        apiGroups: ['snapshot.storage.k8s.io', 'groupsnapshot.storage.k8s.io'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['volumesnapshotcontents', 'volumegroupsnapshotcontents'],
      },
    ],
    matchConditions: [
      { name: 'namespace', expression: `${ref}.namespace == ${JSON.stringify(namespace)}` },
      {
        name: 'newly-marked',
        expression: `${marks}.exists(mark, ${isMarked('object')} && !${isMarked('oldObject')})`,
      },
    ],
  };
}

function trialContent(namespace: string): KubeObject {
  return {
    metadata: { name: namespace, annotations: { [MARKS[0] ?? '']: 'yes', [TRIAL]: 'yes' } },
    spec: {
      volumeSnapshotRef: { namespace, name: TRIAL },
      deletionPolicy: 'Retain',
      driver: 'trial.example.com',
      source: { volumeHandle: TRIAL },
    },
  } as KubeObject;
}

/** True if the server forbids to create the object. The request is a dry run, so nothing is stored. */
async function isRefused<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: KubeObject,
): Promise<boolean> {
  try {
    await client.create(resource, object as T, { dryRun: true });
    return false;
  } catch (error) {
    if (isReason(error, 'Forbidden')) return true;
    throw error;
  }
}
