/** What a hook's pod has of the template's pod: all that is not of a service with replicas (ROLL-C28). */
import type { Container, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ExecNewPodHook, HookPodOverrides } from '../kinds.ts';
import { copiedVolumes } from './hook-container.ts';

/** What Kubernetes has for a pod that says none. */
const DEFAULT_GRACE_SECONDS = 30;
/** With none at all the server would forget a running pod, and nobody would tell us of its end. */
const LEAST_GRACE_SECONDS = 1;

export interface HookPodParts {
  readonly template: PodTemplateSpec;
  readonly hook: ExecNewPodHook;
  readonly container: Container;
}

/**
 * Affinity is inherited as it is. One that keeps the application's pods apart keeps the hook's pod off them
 * too; where that leaves it no node, `overrides.affinity: {}` is the answer.
 */
export function hookPodSpec({ template, hook, container }: HookPodParts): PodSpec {
  const { overrides = {} } = hook;
  const base = withoutReplicaParts(template.spec ?? { containers: [] });
  const grace =
    overrides.terminationGracePeriodSeconds ??
    base.terminationGracePeriodSeconds ??
    DEFAULT_GRACE_SECONDS;
  return {
    ...withOverrides(base, overrides),
    containers: [container],
    volumes: copiedVolumes(template, hook),
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: Math.max(LEAST_GRACE_SECONDS, grace),
  };
}

type PodBase = Omit<PodSpec, 'containers'>;

/** What is computed from a field at admission goes with that field. */
function withOverrides(base: PodBase, overrides: HookPodOverrides): PodBase {
  const { serviceAccountName, nodeSelector, tolerations, affinity } = overrides;
  const { imagePullSecrets, priorityClassName, runtimeClassName } = overrides;
  const { serviceAccount, priority, preemptionPolicy, overhead, ...rest } = base;
  const kept = {
    ...(serviceAccountName === undefined ? { serviceAccount } : {}),
    ...(priorityClassName === undefined ? { priority, preemptionPolicy } : {}),
    ...(runtimeClassName === undefined ? { overhead } : {}),
  };
  const replaced = {
    serviceAccountName,
    nodeSelector,
    tolerations,
    affinity,
    imagePullSecrets,
    priorityClassName,
    runtimeClassName,
  };
  return { ...rest, ...present(kept), ...present(replaced) };
}

function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function withoutReplicaParts(spec: PodSpec): PodBase {
  const {
    containers: _containers,
    initContainers: _initContainers,
    ephemeralContainers: _ephemeralContainers,
    volumes: _volumes,
    restartPolicy: _restartPolicy,
    readinessGates: _readinessGates,
    topologySpreadConstraints: _topologySpreadConstraints,
    activeDeadlineSeconds: _activeDeadlineSeconds,
    ...rest
  } = spec;
  return rest;
}
