/** Everything that a decision looks at, as one value. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ObjectKey } from '../../../kube/object.ts';
import type { DeploymentLifecycle, HookRun, RolloutStatus } from '../kinds.ts';
import type { GateVerdict } from './gate-verdict.ts';

export interface RolloutFacts {
  readonly nowMs: number;
  readonly key: Required<ObjectKey>;
  /** The oldest one that names the Deployment. */
  readonly lifecycle: DeploymentLifecycle | null;
  /** The others that do. */
  readonly rivals: readonly DeploymentLifecycle[];
  readonly deployment: Deployment | null;
  /** Those that the Deployment controls. */
  readonly sets: readonly ReplicaSet[];
  /** Of a Deployment of this name, older ones too. */
  readonly hookPods: readonly Pod[];
  readonly hookRuns: readonly HookRun[];
  /**
   * Names of the Deployment's pods that live, and of what may still make some, by the server while it drains;
   * null: nobody has looked.
   */
  readonly livePods: readonly string[] | null;
  /** Everything in it is being deleted; looked at while the lifecycle is. */
  readonly isNamespaceGoing: boolean;
  /** null: the gate was not tried yet. */
  readonly gate: GateVerdict | null;
  /** The author of the lifecycle's spec was asked for the right to create pods, or nobody asks here. */
  readonly isAuthored: boolean;
}

/** The facts of a Deployment that has its lifecycle, and the words that most decisions need. */
export interface Managed extends RolloutFacts {
  readonly lifecycle: DeploymentLifecycle;
  readonly deployment: Deployment;
}

/** One that has a number, and whose number has its entry in the status. */
export interface Rolling extends Managed {
  readonly number: number;
  readonly rollout: RolloutStatus;
}

export interface NamedTemplate {
  readonly digest: string;
  readonly template: PodTemplateSpec;
}

export function isManaged(facts: RolloutFacts): facts is Managed {
  return facts.lifecycle !== null && facts.deployment !== null;
}
