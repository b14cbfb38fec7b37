/** The complete input of a decision, as one value. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ObjectKey } from '../../../kube/object.ts';
import type { DeploymentLifecycle, HookRun, RolloutStatus } from '../kinds.ts';
import type { GateVerdict } from './gate-verdict.ts';

export interface RolloutFacts {
  readonly nowMs: number;
  readonly key: Required<ObjectKey>;
  /** The lifecycle in charge, which is the oldest that names the Deployment; null: no lifecycle names it. */
  readonly lifecycle: DeploymentLifecycle | null;
  /** The other lifecycles that name the Deployment. */
  readonly rivals: readonly DeploymentLifecycle[];
  readonly deployment: Deployment | null;
  readonly sets: readonly ReplicaSet[];
  /** Hook pods of all Deployments of this name, including earlier ones. */
  readonly hookPods: readonly Pod[];
  readonly hookRuns: readonly HookRun[];
  /**
   * Names of the Deployment's live pods, and of the objects that may still create some. They are read from the server
   * during a drain; null: not read.
   */
  readonly livePods: readonly string[] | null;
  /** True: the namespace is terminating. It is read only while the lifecycle is terminating. */
  readonly isNamespaceTerminating: boolean;
  /** null: the gate was not tested yet. */
  readonly gate: GateVerdict | null;
  /**
   * True: the author of the spec was checked for the permission to create pods, or no webhook is served that checks
   * authors.
   */
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
