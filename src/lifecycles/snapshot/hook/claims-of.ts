import type { Container, Pod } from 'kubernetes-types/core/v1.js';

/** The claims of the volumes that this container of the pod mounts, sorted. */
export function claimsOf({ metadata, spec }: Pod, containerName: string): readonly string[] {
  const { containers = [], initContainers = [], volumes = [] } = spec ?? {};
  const container = [...initContainers, ...containers].find(({ name }) => name === containerName);
  const mounted = namesOf(container);
  const claims = volumes.flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (!mounted.has(name)) return [];
    if (ephemeral !== undefined) return [`${metadata?.name ?? ''}-${name}`];
    return persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName];
  });
  return [...new Set(claims)].toSorted();
}

function namesOf({ volumeMounts = [], volumeDevices = [] }: Partial<Container> = {}): Set<string> {
  return new Set([...volumeMounts, ...volumeDevices].map(({ name }) => name));
}
