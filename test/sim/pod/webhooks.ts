/** Foreign mutating webhooks. They change a pod when it is created, and its status when the node writes it. */
import type { Container, Pod, PodCondition, PodStatus } from 'kubernetes-types/core/v1.js';

import type { Random } from '../random.ts';
import type { World } from '../world.ts';

/** The condition that the webhook adds. */
export const FOREIGN_CONDITION = 'example.com/inspected';
export const SIDECAR = 'mesh';

export interface Admission {
  readonly world: World;
  readonly random: Random;
  readonly sidecar: () => Container;
}

/** The pod as the API server stores it. */
export function admitPod(pod: Pod, { world, random, sidecar }: Admission): Pod {
  const { spec } = pod;
  const fault = world.faults.of('webhook changes the pod');
  if (spec === undefined || !fault.chance(random, 0.2, () => ['pending'])) return pod;
  if (random.chance(0.5)) {
    world.note(`webhook: adds the sidecar ${SIDECAR}`);
    const initContainers = [sidecar(), ...(spec.initContainers ?? [])];
    return { ...pod, spec: { ...spec, initContainers } };
  }
  world.note('webhook: replaces the preStop hooks');
  const containers = spec.containers.map((container) => ({
    ...container,
    lifecycle: { ...container.lifecycle, preStop: { exec: { command: ['preStop', '--drain'] } } },
  }));
  return { ...pod, spec: { ...spec, containers } };
}

/** The status as the API server stores it: the webhook adds its own condition, and may remove one of the others. */
export function admitStatus(status: PodStatus, random: Random): PodStatus {
  const own: PodCondition = {
    type: FOREIGN_CONDITION,
    status: random.pick(['True', 'False']),
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const { conditions = [] } = status;
  const others = conditions.filter(({ type }) => type !== FOREIGN_CONDITION);
  const kept = random.chance(0.5) ? others : others.slice(1);
  return { ...status, conditions: [own, ...kept] };
}
