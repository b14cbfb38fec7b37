/**
 * Roles and restart policies of containers, as the Kubernetes API documents them. It is written independently of the
 * product, so that the judges do not share its defects.
 */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

export type Role = 'init' | 'sidecar' | 'main';

export interface PodContainer {
  readonly role: Role;
  readonly spec: Container;
}

/** All containers in the order in which they start. */
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

/**
 * True if a container with this exit code is restarted. `exitCode` is null if a probe has stopped it, which is a
 * failure.
 */
export function restartsByPolicy(role: Role, { spec }: Pod, exitCode: number | null): boolean {
  const { restartPolicy = 'Always' } = spec ?? {};
  if (role === 'sidecar') return true;
  if (role === 'main' && restartPolicy === 'Always') return true;
  return exitCode !== 0 && restartPolicy !== 'Never';
}
