/** Binds pods to the node, and reports why a pod does not fit. */
import type { PersistentVolumeClaim, Pod, PodCondition } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { aboutObject } from '../../../../../src/controller/event-recorder.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { nodes, persistentVolumeClaims, pods } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { place } from './decide.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { hasEnded } from '../../../../../src/kube/pod-state.ts';

/**
 * Milliseconds until a pod that did not fit is retried if the pod, the nodes and the claims do not change before. So a
 * node that was full may be used this much later.
 */
const RETRY_MS = 30_000;

export function makeSchedulerController(context: ControllerContext): Controller {
  const { informers, client, recorder } = context;
  const ofPods = informers.of(pods, { indexes: { node: ({ spec }) => [spec?.nodeName ?? ''] } });
  const ofNodes = informers.of(nodes);
  const ofClaims = informers.of(persistentVolumeClaims);
  const unbound = (): readonly string[] => ofPods.byIndex('node', '').map((pod) => keyOf(pod));
  return makeController({
    ...context,
    name: 'scheduler',
    sources: [
      watched({
        informer: ofPods,
        keys: (pod) => (pod.spec?.nodeName === undefined ? [keyOf(pod)] : []),
      }),
      watched({ informer: ofNodes, keys: unbound }),
      watched({ informer: ofClaims, keys: unbound }),
    ],
    reconcile: async (key): Promise<Outcome> => {
      const pod = ofPods.get(key);
      if (pod === undefined) return done;
      const placement = place({
        pod,
        nodes: ofNodes.list(),
        podsOn: (node) => ofPods.byIndex('node', node).filter((each) => !hasEnded(each)).length,
        claim: (name) => claimOf(ofClaims, pod, name),
      });
      if (placement.kind === 'nothing') return done;
      const about = aboutObject(pods, pod);
      if (placement.kind === 'wait') {
        recorder.record({
          about,
          type: 'Warning',
          reason: 'FailedScheduling',
          message: placement.message,
        });
        const nowMs = context.platform.clock.nowMs();
        await writeUnschedulable(client, { pod, message: placement.message, nowMs });
        return requeueAfter(RETRY_MS, placement.message);
      }
      await bind(client, pod, placement.node);
      const message = `Successfully assigned ${key} to ${placement.node}`;
      recorder.record({ about, type: 'Normal', reason: 'Scheduled', message });
      return done;
    },
  });
}

function claimOf(
  claims: Informer<PersistentVolumeClaim>,
  { metadata }: Pod,
  name: string,
): PersistentVolumeClaim | undefined {
  return claims.get(`${metadata?.namespace ?? ''}/${name}`);
}

async function bind(client: KubeClient, pod: Pod, node: string): Promise<void> {
  const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
  const target = { apiVersion: 'v1', kind: 'Node', name: node };
  const metadata = { namespace, name, uid };
  const body = { apiVersion: 'v1', kind: 'Binding', metadata, target };
  // The pod was deleted or bound meanwhile: its next change triggers a reconcile.
  await orNull(client.raw({ method: 'POST', path, body }), 'NotFound', 'Conflict');
}

/** Parameters of the condition of a pod that fits on no node. */
interface Unschedulable {
  readonly pod: Pod;
  readonly message: string;
  readonly nowMs: number;
}

/** Writes the condition unless the pod already has the same message. */
async function writeUnschedulable(client: KubeClient, facts: Unschedulable): Promise<void> {
  const { namespace = '', name = '' } = facts.pod.metadata ?? {};
  const condition = unschedulableCondition(facts);
  if (condition === null) return;
  const body = { status: { conditions: [condition] } };
  const options = { type: 'strategic', body, subresource: 'status' } as const;
  await orNull(client.patch(pods, { namespace, name }, options), 'NotFound');
}

/** Returns null if the pod already has a condition with this message. */
export function unschedulableCondition({ pod, message, nowMs }: Unschedulable): JsonObject | null {
  const before = conditionOf(pod);
  if (before?.message === message) return null;
  return {
    type: TYPE,
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastProbeTime: null,
    lastTransitionTime: before?.lastTransitionTime ?? timeText(nowMs),
  };
}

const TYPE = 'PodScheduled';

function conditionOf({ status }: Pod): PodCondition | undefined {
  const { conditions = [] } = status ?? {};
  return conditions.find((each) => each.type === TYPE && each.status === 'False');
}
