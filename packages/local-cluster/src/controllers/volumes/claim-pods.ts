/** Which pods use a claim. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

/** The keys of the claims that a pod mounts; an ephemeral volume's claim has a name made of both. */
export function claimKeys({ metadata, spec }: Pod): readonly string[] {
  const namespace = metadata?.namespace ?? '';
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) {
      return [`${namespace}/${persistentVolumeClaim.claimName}`];
    }
    return ephemeral === undefined ? [] : [`${namespace}/${metadata?.name ?? ''}-${name}`];
  });
}

/** A pod that goes still mounts its volumes. */
export function isOpen({ status }: Pod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** One that no node has taken holds nothing. */
export function holds(pod: Pod): boolean {
  return isOpen(pod) && (pod.spec?.nodeName ?? '') !== '';
}
