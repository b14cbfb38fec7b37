/** How a resize of a pod that runs is seen: when it is under way, and what its events say. Pure. */
import type { Pod, PodSpec, ResourceRequirements } from 'kubernetes-types/core/v1.js';

import { containersOf } from './containers.ts';
import { isAlive } from './decide.ts';
import type { ContainerFacts, PodFacts } from './facts.ts';
import { isResized, ranAs, whyRestart } from './in-place.ts';
import type { PodEvent } from './pod-host.ts';

/** Deferred: until the next start of a container whose limits are set when it starts. */
export interface ResizeState {
  readonly kind: 'InProgress' | 'Deferred';
  /** The container that still has other resources than it is to have. */
  readonly container: string;
}

/** null: every container has the resources that it is to have. */
export function resizeState({ containers }: Pick<PodFacts, 'containers'>): ResizeState | null {
  const lacking = containers.filter((container) => !hasItsResources(container));
  const restarting = lacking.find(({ ran, ...of }) => ran !== null && whyRestart(of, ran) !== null);
  if (restarting !== undefined) return { kind: 'InProgress', container: restarting.spec.name };
  const [first] = lacking;
  return first === undefined ? null : { kind: 'Deferred', container: first.spec.name };
}

export function deferredMessage({ container }: ResizeState): string {
  return `the limits of container ${container} are set when it starts: the resize waits for its next start`;
}

function hasItsResources(container: ContainerFacts): boolean {
  const { role, spec, ran } = container;
  return role === 'init' || ran === null || !isAlive(container) || isResized(spec, ran);
}

export function asksForResize(pod: Pod, before: Pod): boolean {
  if (pod.metadata?.deletionTimestamp !== undefined) return false;
  const old = containersOf(before).map(({ spec }) => ranAs(spec));
  const now = containersOf(pod).map(({ spec }) => spec);
  return (
    JSON.stringify(resourcesOf(pod)) !== JSON.stringify(resourcesOf(before)) ||
    now.some((spec, place) => !isResized(spec, old[place] ?? ranAs(spec)))
  );
}

/** Of the pod as a whole, which our types do not know yet. */
function resourcesOf({ spec }: Pod): ResourceRequirements | undefined {
  const known: (PodSpec & { readonly resources?: ResourceRequirements }) | undefined = spec;
  return known?.resources;
}

export function resizeEvent(what: 'Started' | 'Completed', pod: Pod): PodEvent {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const resources = (list: typeof containers): object[] =>
    list.map(({ name, resources: { limits, requests } = {} }) => ({
      name,
      resources: { limits, requests },
    }));
  const text = JSON.stringify({
    ...(initContainers.length === 0 ? {} : { initContainers: resources(initContainers) }),
    containers: resources(containers),
    generation: pod.metadata?.generation,
  });
  const message = `Pod resize ${what.toLowerCase()}: ${text}`;
  return { type: 'Normal', reason: `Resize${what}`, message };
}
