/**
 * Roles and restart policy of containers, as the API documents them: written independently, so that a judge shares no
 * defect.
 */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

export type Role = 'init' | 'sidecar' | 'main';

export interface PodContainer {
  readonly role: Role;
  readonly spec: Container;
}

/** In start order. */
export function containersIn({ spec }: Pod): readonly PodContainer[] {
  const inits = (spec?.initContainers ?? []).map((container) => ({
    role: container.restartPolicy === 'Always' ? ('sidecar' as const) : ('init' as const),
    spec: container,
  }));
  const mains = (spec?.containers ?? []).map((container) => ({
    role: 'main' as const,
    spec: container,
  }));
  return [...inits, ...mains];
}

/** `exitCode`: null if a probe has stopped it, which counts as a failure. */
export function restartsByPolicy(role: Role, { spec }: Pod, exitCode: number | null): boolean {
  const { restartPolicy = 'Always' } = spec ?? {};
  if (role === 'sidecar') return true;
  if (role === 'main' && restartPolicy === 'Always') return true;
  return exitCode !== 0 && restartPolicy !== 'Never';
}
