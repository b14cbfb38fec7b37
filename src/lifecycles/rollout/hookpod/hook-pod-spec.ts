/** The spec of a hook's pod: that of the template's pod without the fields of a replicated service (ROLL-C28). */
import type { Container, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ExecNewPodHook, HookPodOverrides } from '../kinds.ts';
import { copiedVolumes } from './hook-container.ts';

/** Kubernetes' default for a pod. */
const DEFAULT_GRACE_SECONDS = 30;
/** With grace 0 the server would remove a running pod at once, and its end would never be reported. */
const LEAST_GRACE_SECONDS = 1;

export interface HookPodParts {
  readonly template: PodTemplateSpec;
  readonly hook: ExecNewPodHook;
  readonly container: Container;
}

/**
 * Affinity is inherited unchanged. An anti-affinity that keeps the application's pods apart also keeps the hook's pod
 * away from them; if that leaves it no node, set `overrides.affinity: {}`.
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

/** An override also removes the fields that admission has computed from the overridden one. */
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
