import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { HOOK_CONTAINER } from './hook-container.ts';

/** Annotation of a whole pod. */
const OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
/** Prefixes of annotations of one container, whose name follows. */
const OF_CONTAINER = [
  'container.apparmor.security.beta.kubernetes.io/',
  'container.seccomp.security.alpha.kubernetes.io/',
];

/**
 * Carries over only those annotations of the template that are older forms of security fields: without them the hook
 * would run less confined than its container.
 */
export function carriedAnnotations(
  { metadata }: PodTemplateSpec,
  container: string,
): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const [key, value] of Object.entries(metadata?.annotations ?? {})) {
    if (key === OF_POD) carried[key] = value;
    const prefix = OF_CONTAINER.find((each) => key === each + container);
    if (prefix !== undefined) carried[prefix + HOOK_CONTAINER] = value;
  }
  return carried;
}
