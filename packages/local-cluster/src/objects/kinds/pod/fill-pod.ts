/** What only pods themselves are given, not the templates from which they are made. */
import type { Json, JsonObject } from '../../../../../../src/kube/object.ts';
import {
  fill,
  fillObject,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';
import { allContainers, fillPodSpec } from './fill-pod-spec.ts';

/** How long a pod stays on a node that is lost, where it says nothing about it. */
const LOST_NODE_SECONDS = 300;
const LOST_NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

export function fillPod(pod: JsonObject): void {
  const spec = fillObject(pod, 'spec');
  spec['enableServiceLinks'] ??= true;
  fillPodSpec(spec);
  for (const container of allContainers(spec)) requestWhatIsLimited(container);
}

/** What admission adds to a new pod: account, priority, tolerations. */
export function admitPod(spec: JsonObject): void {
  const account = textAt(spec, 'serviceAccountName') || 'default';
  spec['serviceAccountName'] = account;
  spec['serviceAccount'] = account;
  spec['priority'] ??= 0;
  fill(spec, 'preemptionPolicy', 'PreemptLowerPriority');
  tolerateLostNode(spec);
}

/** Admission adds these to what is updated as well. */
export function tolerateLostNode(spec: JsonObject): void {
  const tolerations = objectsAt(spec, 'tolerations');
  const missing = LOST_NODE_TAINTS.filter(
    (taint) => !tolerations.some((one) => covers(one, taint)),
  );
  spec['tolerations'] = [...tolerations, ...missing.map(tolerationOf)];
}

function requestWhatIsLimited(container: JsonObject): void {
  const limits = objectAt(container, 'resources', 'limits');
  if (limits === undefined) return;
  const requests = fillObject(fillObject(container, 'resources'), 'requests');
  for (const [name, amount] of Object.entries(limits)) requests[name] ??= amount;
}

function covers(toleration: JsonObject, taint: string): boolean {
  const key = textAt(toleration, 'key');
  const effect = textAt(toleration, 'effect');
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}

function tolerationOf(key: string): Json {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: LOST_NODE_SECONDS };
}
