/**
 * A change of a container that runs: of its image, or of its resources by a resize. A plain process has no
 * limits, so a change of resources holds as soon as it is seen, unless the container asks for a restart. The
 * limits of an OCI container are set when it starts, so a change of them waits for that. Pure.
 */
import type {
  Container,
  ContainerStatus,
  PodStatus,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.js';

import type { PodContainer } from './containers.ts';

/** What a run was started with, and was resized to since. */
export interface Ran {
  readonly image: string;
  readonly resources: ResourceRequirements;
}

/** A status with `resources`, which our types do not know yet. */
type TellsResources = ContainerStatus & Pick<Container, 'resources'>;

type Amounts = ResourceRequirements['limits'];

export function ranAs({ image = '', resources = {} }: Container): Ran {
  return { image, resources };
}

/** Why it has to be restarted; null: it need not. A kubelet leaves the image of a sidecar until its next run. */
export function whyRestart({ role, spec }: PodContainer, ran: Ran): 'definition' | 'resize' | null {
  if (role === 'main' && (spec.image ?? '') !== ran.image) return 'definition';
  const { resizePolicy = [] } = spec;
  const restarts = resizePolicy
    .filter(({ restartPolicy }) => restartPolicy === 'RestartContainer')
    .some(({ resourceName }) => differs(spec.resources ?? {}, ran.resources, resourceName));
  return restarts ? 'resize' : null;
}

/** What it is from now on, once its resources have changed. */
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

/** What the API was told of a run that a restarted node has found; its id has the number of the run. */
export function ranBefore(
  { initContainerStatuses = [], containerStatuses = [] }: PodStatus,
  containerId: string,
): Ran | null {
  const told: TellsResources | undefined = [...initContainerStatuses, ...containerStatuses].find(
    ({ containerID = '' }) => containerID.endsWith(`://${containerId}`),
  );
  return told === undefined ? null : { image: told.image, resources: told.resources ?? {} };
}
