/**
 * Changes of a running container: a new image, or a resize. A plain process has no limits, so a resize takes effect at
 * once unless the container requests a restart. The limits of an OCI container are set at its start, so changed limits
 * take effect at its next start. Pure.
 */
import type {
  Container,
  ContainerStatus,
  PodStatus,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.js';

import type { PodContainer } from './containers.ts';

/** The image of a run, and its resources after the last resize that took effect. */
export interface Ran {
  readonly image: string;
  readonly resources: ResourceRequirements;
}

/** A status with `resources`, which the typed API does not have yet. */
type ReportsResources = ContainerStatus & Pick<Container, 'resources'>;

type Amounts = ResourceRequirements['limits'];

export function ranAs({ image = '', resources = {} }: Container): Ran {
  return { image, resources };
}

/**
 * Why the container must be restarted; null: no restart. A kubelet changes the image of a sidecar only at its next run.
 */
export function whyRestart({ role, spec }: PodContainer, ran: Ran): 'definition' | 'resize' | null {
  if (role === 'main' && (spec.image ?? '') !== ran.image) return 'definition';
  const { resizePolicy = [] } = spec;
  const restarts = resizePolicy
    .filter(({ restartPolicy }) => restartPolicy === 'RestartContainer')
    .some(({ resourceName }) => differs(spec.resources ?? {}, ran.resources, resourceName));
  return restarts ? 'resize' : null;
}

/** The image and resources of the run after a resize. They are unchanged if it takes effect at the next start. */
export function resizedAs(container: PodContainer, ran: Ran, setsLimits: boolean): Ran {
  const { resources } = ranAs(container.spec);
  const limited = setsLimits && !sameAmounts(resources.limits, ran.resources.limits);
  return limited || whyRestart(container, ran) === 'resize' ? ran : { ...ran, resources };
}

export function isResized(spec: Container, { resources }: Ran): boolean {
  const { requests, limits } = spec.resources ?? {};
  return sameAmounts(requests, resources.requests) && sameAmounts(limits, resources.limits);
}

function sameAmounts(now: Amounts, then: Amounts): boolean {
  return ['cpu', 'memory'].every((name) => now?.[name] === then?.[name]);
}

function differs(now: ResourceRequirements, then: ResourceRequirements, name: string): boolean {
  return (
    now.requests?.[name] !== then.requests?.[name] || now.limits?.[name] !== then.limits?.[name]
  );
}

/**
 * The image and resources that the API status has for a run which a restarted node found. The container id identifies
 * the run.
 */
export function ranBefore(
  { initContainerStatuses = [], containerStatuses = [] }: PodStatus,
  containerId: string,
): Ran | null {
  const reported: ReportsResources | undefined = [
    ...initContainerStatuses,
    ...containerStatuses,
  ].find(({ containerID = '' }) => containerID.endsWith(`://${containerId}`));
  return reported === undefined
    ? null
    : { image: reported.image, resources: reported.resources ?? {} };
}
