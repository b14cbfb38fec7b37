/** The containers of a pod and their roles. Pure. */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

/**
 * init: runs to its exit before the next container begins. sidecar: an init container that is restarted while the pod
 * lives, and is stopped after the main containers. main: a container in `spec.containers`.
 */
export type Role = 'init' | 'sidecar' | 'main';

export interface PodContainer {
  readonly role: Role;
  readonly spec: Container;
}

/** The containers of the pod, in start order. */
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

/** A container with its own restart policy, and with exit codes after which it always restarts. */
interface OwnPolicy extends Container {
  readonly restartPolicyRules?: readonly RestartRule[];
}

interface RestartRule {
  readonly action: string;
  readonly exitCodes?: { readonly operator: string; readonly values?: readonly number[] };
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

function matches({ action, exitCodes }: RestartRule, exitCode: number | null): boolean {
  if (action !== 'Restart' || exitCodes === undefined || exitCode === null) return false;
  const { operator, values = [] } = exitCodes;
  return values.includes(exitCode) === (operator === 'In');
}

function policyOf({ spec }: Pod): string {
  return spec?.restartPolicy ?? 'Always';
}

/** True: a container that exited with this code runs again. null: the code is not known, and counts as a failure. */
export function restarts(container: PodContainer, pod: Pod, exitCode: number | null): boolean {
  if (container.role === 'sidecar') return true;
  const { restartPolicyRules = [], restartPolicy = policyOf(pod) }: OwnPolicy = container.spec;
  if (restartPolicyRules.some((rule) => matches(rule, exitCode))) return true;
  if (container.role === 'init') return exitCode !== 0 && restartPolicy !== 'Never';
  if (restartPolicy === 'Always') return true;
  return restartPolicy === 'OnFailure' && exitCode !== 0;
}
