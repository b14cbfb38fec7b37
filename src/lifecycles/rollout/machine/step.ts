import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type {
  DeploymentLifecycle,
  DeploymentLifecycleStatus,
  HookRun,
  RolloutFailure,
} from '../kinds.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import type { PatchOperation } from '../gate/gated-fields.ts';
import type { StageStep } from '../runs/stage.ts';

/** A Kubernetes Event about the Deployment. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** One write to the Deployment; absent fields are not changed. */
export interface DeploymentChange {
  readonly template?: PodTemplateSpec;
  readonly paused?: boolean;
  readonly replicas?: number;
  readonly labelled?: boolean;
  /** null: removed. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

type ReportedEvent = RolloutEvent extends infer E
  ? E extends RolloutEvent
    ? Omit<E, 'namespace' | 'deployment'>
    : never
  : never;

/** Events to emit after a write has succeeded, and not before. */
export interface Emits {
  readonly notices?: readonly Notice[];
  readonly observed?: readonly ReportedEvent[];
}

export type MachineStep = { readonly reason: string } & (
  | { readonly kind: 'wait' }
  | { readonly kind: 'waitFor'; readonly ms: number }
  | { readonly kind: 'addFinalizer' }
  /** rival: a deleted lifecycle that is not in charge; absent: the lifecycle in charge. */
  | { readonly kind: 'removeFinalizer'; readonly rival?: DeploymentLifecycle }
  | {
      readonly kind: 'changeDeployment';
      readonly change: DeploymentChange;
      readonly emits: Emits;
    }
  /** The stamp of the gate, with its own test of the resourceVersion. */
  | {
      readonly kind: 'stampDeployment';
      readonly operations: readonly PatchOperation[];
      readonly emits: Emits;
    }
  /** Fields of the lifecycle's status; the conditions are derived from them. `fresh`: replaces the whole status. */
  | {
      readonly kind: 'record';
      readonly fresh?: boolean;
      readonly status: DeploymentLifecycleStatus;
      /** The reason of a template that runs without a release. */
      readonly bypass?: string;
      readonly emits: Emits;
    }
  /** The condition Failed of the Deployment (ROLL-DH14); failure null: it has not failed, or no longer. */
  | { readonly kind: 'reportDeployment'; readonly failure: RolloutFailure | null }
  /** Sets the condition of a lifecycle whose Deployment has an older lifecycle. */
  | { readonly kind: 'reportRival'; readonly rival: DeploymentLifecycle }
  /** A server-side dry run of a change of the template. */
  | { readonly kind: 'proveGate' }
  /** The next step of a hook. */
  | { readonly kind: 'stage'; readonly step: StageStep }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'deleteRun'; readonly run: HookRun }
);
