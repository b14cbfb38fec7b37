/** The complete input of a decision, as one value. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ObjectKey } from '../../../kube/object.ts';
import type { DeploymentLifecycle, HookRun, RolloutStatus } from '../kinds.ts';
import type { GateVerdict } from './gate-verdict.ts';

export interface RolloutFacts {
  readonly nowMs: number;
  readonly key: Required<ObjectKey>;
  /** The oldest lifecycle that names the Deployment. */
  readonly lifecycle: DeploymentLifecycle | null;
  /** The other lifecycles that name it. */
  readonly rivals: readonly DeploymentLifecycle[];
  readonly deployment: Deployment | null;
  readonly sets: readonly ReplicaSet[];
  /** Hook pods of all Deployments of this name, including earlier ones. */
  readonly hookPods: readonly Pod[];
  readonly hookRuns: readonly HookRun[];
  /**
   * Names of the Deployment's live pods, and of the objects that may still create some, from the server during a drain;
   * null: not read.
   */
  readonly livePods: readonly string[] | null;
  /** Whether the namespace is terminating; read only while the lifecycle is. */
  readonly isNamespaceTerminating: boolean;
  /** null: the gate was not tested yet. */
  readonly gate: GateVerdict | null;
  /** Whether the author of the spec was checked for the right to create pods, or no webhook checks that here. */
  readonly isAuthored: boolean;
}

/** The facts of a Deployment with its lifecycle. */
export interface Managed extends RolloutFacts {
  readonly lifecycle: DeploymentLifecycle;
  readonly deployment: Deployment;
}

/** A Deployment with a number, whose rollout is in the status. */
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
