/** Determines the users of a volume: pods and containers that mount it, and nodes that have it attached. Pure. */
import type { Container, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';

import type { PodContainerNames } from '../kinds.ts';
import { RESCUE_POD } from '../names.ts';
import { identify } from './identify.ts';
import { hasEnded } from '../../../kube/pod-state.ts';

export interface UsageFacts {
  readonly claim: PersistentVolumeClaim;
  /** All attachments; those of other volumes and drivers are ignored. */
  readonly attachments: readonly VolumeAttachment[];
  /** All pods of the claim's namespace. */
  readonly pods: readonly Pod[];
  /** The CSI driver of the volume; absent: it is not a CSI volume. */
  readonly driver?: string | undefined;
}

/**
 * Whether the volume is attached to a node, or mounted by a scheduled pod that has not ended (SNAP-G20). A volume that
 * is being detached still counts. For drivers that do not attach volumes, only the pods count.
 */
export function isInUse(facts: UsageFacts): boolean {
  return isAttached(facts) || facts.pods.some((pod) => mountsOf(pod, facts.claim).length > 0);
}

function isAttached({ claim, attachments, driver }: UsageFacts): boolean {
  return attachments.some(
    ({ spec, status }) =>
      status?.attached === true &&
      spec.source.persistentVolumeName === claim.spec?.volumeName &&
      (driver === undefined || spec.attacher === driver),
  );
}

/**
 * Every running container that mounts one of the volumes (SNAP-R30, SNAP-G19). Sidecars (restartable init containers)
 * are included; other init containers and ephemeral containers are not. Sorted by pod name; rescue pods, and pods
 * without such a container, are left out.
 */
export function containersOf(
  claims: readonly PersistentVolumeClaim[],
  pods: readonly Pod[],
): readonly PodContainerNames[] {
  return pods
    .filter(({ metadata }) => metadata?.labels?.[RESCUE_POD] === undefined)
    .map((pod) => {
      const volumes = new Set(claims.flatMap((claim) => mountsOf(pod, claim)));
      return { podName: identify(pod).name, containerNames: runningContainers(pod, volumes) };
    })
    .filter(({ containerNames }) => containerNames.length > 0)
    .toSorted((a, b) => (a.podName < b.podName ? -1 : 1));
}

/** The names under which the pod has the claim as a volume; empty if the pod has ended or is not scheduled. */
function mountsOf(pod: Pod, claim: PersistentVolumeClaim): readonly string[] {
  if (hasEnded(pod)) return [];
  if ((pod.spec?.nodeName ?? '') === '') return [];
  return (pod.spec?.volumes ?? [])
    .filter(({ name, persistentVolumeClaim, ephemeral }) =>
      ephemeral === undefined
        ? persistentVolumeClaim?.claimName === identify(claim).name
        : isEphemeralClaim(pod, name, claim),
    )
    .map(({ name }) => name);
}

/**
 * Whether the claim is that of the pod's ephemeral volume. A claim with its name that the pod does not own is another
 * claim.
 */
function isEphemeralClaim(pod: Pod, volume: string, claim: PersistentVolumeClaim): boolean {
  const { name, uid } = identify(pod);
  const owners = claim.metadata?.ownerReferences ?? [];
  return identify(claim).name === `${name}-${volume}` && owners.some((owner) => owner.uid === uid);
}

function runningContainers({ spec, status }: Pod, volumes: ReadonlySet<string>): string[] {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const running = new Set(
    statuses.filter(({ state }) => state?.running !== undefined).map(({ name }) => name),
  );
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  return [...sidecars, ...(spec?.containers ?? [])]
    .filter((container) => running.has(container.name) && mountsOne(container, volumes))
    .map(({ name }) => name);
}

function mountsOne(
  { volumeMounts = [], volumeDevices = [] }: Container,
  volumes: ReadonlySet<string>,
): boolean {
  return [...volumeMounts, ...volumeDevices].some(({ name }) => volumes.has(name));
}
