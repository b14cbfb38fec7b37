/** The resize of a running pod: its state and its events. Pure. */
import type { Pod, PodSpec, ResourceRequirements } from 'kubernetes-types/core/v1.js';

import { containersOf } from './containers.ts';
import { isAlive } from './decide.ts';
import type { ContainerFacts, PodFacts } from './facts.ts';
import { isResized, ranAs, whyRestart } from './in-place.ts';
import type { PodEvent } from './pod-host.ts';

/** Deferred: the resize waits for the next start of a container whose limits are set at its start. */
export interface ResizeState {
  readonly kind: 'InProgress' | 'Deferred';
  /** A container that does not have its desired resources yet. */
  readonly container: string;
}

/** The state of a resize of the pod; null: every container has its desired resources. */
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

/** The resources of the pod as a whole, which the typed API does not have yet. */
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
