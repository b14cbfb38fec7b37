/** Decides on which node a pod can run, or why on none. The texts are those of the real scheduler. Pure. */
import type {
  Node,
  PersistentVolumeClaim,
  Pod,
  Taint,
  Toleration,
} from 'kubernetes-types/core/v1.js';

import { parseQuantity } from '../../../../../src/kube/quantity.ts';
import { hasAffinity } from './node-affinity.ts';

export interface SchedulingFacts {
  readonly pod: Pod;
  readonly nodes: readonly Node[];
  /** Number of pods on a node that have not ended. */
  readonly podsOn: (node: string) => number;
  /** Returns a claim in the pod's namespace by name. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
}

export type Placement =
  | { readonly kind: 'bind'; readonly node: string }
  | { readonly kind: 'wait'; readonly message: string }
  /** The pod is not to be scheduled: it is bound, terminating, gated, or for another scheduler. */
  | { readonly kind: 'nothing' };

export function place(facts: SchedulingFacts): Placement {
  const { pod, nodes } = facts;
  if (!isWaiting(pod)) return { kind: 'nothing' };
  const claims = whyNoClaims(facts);
  const total = `0/${nodes.length} nodes are available: `;
  if (claims !== null) return { kind: 'wait', message: `${total}${claims}` };
  const reasons = nodes.map((node) => ({ node, reason: whyNot(node, facts) }));
  const fit = reasons.find(({ reason }) => reason === null);
  if (fit !== undefined) return { kind: 'bind', node: fit.node.metadata?.name ?? '' };
  return {
    kind: 'wait',
    message: `${total}${summed(reasons.flatMap(({ reason }) => reason ?? []))}.`,
  };
}

function isWaiting({ spec = { containers: [] }, metadata = {} }: Pod): boolean {
  const { nodeName, schedulerName = 'default-scheduler', schedulingGates = [] } = spec;
  const open = nodeName === undefined && metadata.deletionTimestamp === undefined;
  return open && schedulerName === 'default-scheduler' && schedulingGates.length === 0;
}

function whyNoClaims({ pod, claim }: SchedulingFacts): string | null {
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
    if (persistentVolumeClaim === undefined) continue;
    const found = claim(persistentVolumeClaim.claimName);
    if (found === undefined) {
      return `persistentvolumeclaim "${persistentVolumeClaim.claimName}" not found.`;
    }
    if (found.status?.phase !== 'Bound') return 'pod has unbound immediate PersistentVolumeClaims.';
  }
  return null;
}

function whyNot(node: Node, facts: SchedulingFacts): string | null {
  const { name = '', labels = {} } = node.metadata ?? {};
  if (isClosed(node, facts.pod)) return 'node(s) were unschedulable';
  const taint = untoleratedTaint(node, facts.pod);
  if (taint !== null) return `node(s) had untolerated taint {${taint}}`;
  if (!selects(facts.pod, labels) || !hasAffinity(facts.pod, node))
    return "node(s) didn't match Pod's node affinity/selector";
  return facts.podsOn(name) < roomOf(node) ? null : 'Too many pods';
}

/** The taint that a real cluster adds to a cordoned node. A pod that tolerates it may run there. */
const CORDONED: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function isClosed({ spec }: Node, pod: Pod): boolean {
  return spec?.unschedulable === true && !isTolerated(CORDONED, pod);
}

function roomOf({ status }: Node): number {
  const quantity = parseQuantity(status?.allocatable?.['pods'] ?? '0');
  return quantity === undefined ? 0 : Number(quantity.nanos / 1_000_000_000n);
}

function selects({ spec }: Pod, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
}

/** Counts equal reasons, such as "1 Too many pods, 2 node(s) were unschedulable". */
function summed(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ');
}

/** The first taint that excludes the pod, as "key: value"; null if there is none. PreferNoSchedule does not exclude. */
function untoleratedTaint(node: Node, pod: Pod): string | null {
  const found = node.spec?.taints?.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, pod),
  );
  return found === undefined ? null : `${found.key}: ${found.value ?? ''}`;
}

function isTolerated(taint: Taint, { spec }: Pod): boolean {
  return (spec?.tolerations ?? []).some((one) => tolerates(one, taint));
}

/** Whether the toleration tolerates the taint. One without effect matches every effect. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { effect = '' } = toleration;
  return (effect === '' || effect === taint.effect) && isAbout(toleration, taint);
}

/** Whether the toleration names the taint. One without key, valid only with `Exists`, matches every key. */
function isAbout({ key = '', operator, value = '' }: Toleration, taint: Taint): boolean {
  if (operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && value === (taint.value ?? '');
}
