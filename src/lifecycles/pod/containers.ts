/** The containers of a pod and what each is for. Pure. */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

/**
 * init: runs to its end before the next begins. sidecar: an init container that restarts for as long as
 * the pod lives, and is stopped after the mains. main: what the pod is for.
 */
export type Role = 'init' | 'sidecar' | 'main';

export interface PodContainer {
  readonly role: Role;
  readonly spec: Container;
}

/** In the order of their start. */
export function containersOf(pod: Pod): readonly PodContainer[] {
  const first = pod.spec?.initContainers ?? [];
  const mains = pod.spec?.containers ?? [];
  return [
    ...first.map((spec) => ({
      role: isSidecar(spec) ? ('sidecar' as const) : ('init' as const),
      spec,
    })),
    ...mains.map((spec) => ({ role: 'main' as const, spec })),
  ];
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

/** Whether a container that ended with this code is to run again. */
export function restarts(container: PodContainer, pod: Pod, exitCode: number | null): boolean {
  if (container.role === 'sidecar') return true;
  const policy = pod.spec?.restartPolicy ?? 'Always';
  if (container.role === 'init') return exitCode !== 0 && policy !== 'Never';
  if (policy === 'Always') return true;
  return policy === 'OnFailure' && exitCode !== 0;
}
