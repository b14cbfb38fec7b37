/** Which pods use a claim. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

/** The keys of the claims that a pod mounts; the claim of an ephemeral volume is named after both. */
export function claimKeys({ metadata, spec }: Pod): readonly string[] {
  const namespace = metadata?.namespace ?? '';
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) {
      return [`${namespace}/${persistentVolumeClaim.claimName}`];
    }
    return ephemeral === undefined ? [] : [`${namespace}/${metadata?.name ?? ''}-${name}`];
  });
}

/** A terminating pod still mounts its volumes. */
export function isOpen({ status }: Pod): boolean {
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** A pod that is not on a node uses no claim. */
export function holds(pod: Pod): boolean {
  return isOpen(pod) && (pod.spec?.nodeName ?? '') !== '';
}
