/** The containers of a pod and their roles. Pure. */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

/**
 * init: runs to its end before the next begins. sidecar: an init container that restarts while the pod lives, and is
 * stopped after the main containers. main: one of `spec.containers`.
 */
export type Role = 'init' | 'sidecar' | 'main';

export interface PodContainer {
  readonly role: Role;
  readonly spec: Container;
}

/** In start order. */
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

/** A restart policy of the container, with the exit codes that restart it in any case. */
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

/** Whether a container that ended with this code runs again. */
export function restarts(container: PodContainer, pod: Pod, exitCode: number | null): boolean {
  if (container.role === 'sidecar') return true;
  const { restartPolicyRules = [], restartPolicy = policyOf(pod) }: OwnPolicy = container.spec;
  if (restartPolicyRules.some((rule) => matches(rule, exitCode))) return true;
  if (container.role === 'init') return exitCode !== 0 && restartPolicy !== 'Never';
  if (restartPolicy === 'Always') return true;
  return restartPolicy === 'OnFailure' && exitCode !== 0;
}
