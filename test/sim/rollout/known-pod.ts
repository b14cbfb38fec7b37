/** A pod as a simulated node knows it. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import type { HookIdentity, Run } from './account.ts';
import { SIDECAR } from './foreign-changes.ts';
import { versionOf } from './scene.ts';

export interface Known {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly version: string;
  readonly hook: HookIdentity | null;
  readonly container: string;
  /** True if another container runs next to the pod's own until the pod is stopped. */
  readonly hasSidecar: boolean;
  readonly graceMs: number;
  node: string | null;
  run: Run | null;
  isStopping: boolean;
  /** True if the node has confirmed the deletion of the pod. */
  isReleased: boolean;
}

export function knownOf(pod: Pod): Known {
  const { uid = '', name = '', namespace = '' } = pod.metadata ?? {};
  const { containers = [], terminationGracePeriodSeconds = 0 } = pod.spec ?? {};
  return {
    uid,
    name,
    namespace,
    version: versionOf(pod),
    hook: identityOf(pod),
    container: containers[0]?.name ?? '',
    hasSidecar: containers.some((each) => each.name === SIDECAR),
    graceMs: terminationGracePeriodSeconds * 1_000,
    node: null,
    run: null,
    isStopping: false,
    isReleased: false,
  };
}
