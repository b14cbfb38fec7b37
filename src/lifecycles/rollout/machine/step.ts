import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { Notice } from '../../../controller/event-correlator.ts';
import type {
  DeploymentLifecycle,
  DeploymentLifecycleStatus,
  HookRun,
  RolloutFailure,
} from '../kinds.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import type { PatchOperation } from '../gate/gated-fields.ts';
import type { StageStep } from '../runs/stage.ts';

/** One write to the Deployment. Absent fields are not changed. */
export interface DeploymentChange {
  readonly template?: PodTemplateSpec;
  readonly paused?: boolean;
  readonly replicas?: number;
  readonly labelled?: boolean;
  /** The annotations to set; null: the annotation is removed. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

type ReportedEvent = RolloutEvent extends infer E
  ? E extends RolloutEvent
    ? Omit<E, 'namespace' | 'deployment'>
    : never
  : never;

/** Events that are emitted only after a write has succeeded. */
export interface Emits {
  /** Kubernetes Events about the Deployment. */
  readonly notices?: readonly Notice[];
  readonly observed?: readonly ReportedEvent[];
}

export type MachineStep = { readonly reason: string } & (
  | { readonly kind: 'wait' }
  | { readonly kind: 'waitFor'; readonly ms: number }
  | { readonly kind: 'addFinalizer' }
  /** rival: a deleted lifecycle that is not in charge. Absent: the step is for the lifecycle in charge. */
  | { readonly kind: 'removeFinalizer'; readonly rival?: DeploymentLifecycle }
  | {
      readonly kind: 'changeDeployment';
      readonly change: DeploymentChange;
      readonly emits: Emits;
    }
  /** Stamps the Deployment. The operations contain a test of the resourceVersion. */
  | {
      readonly kind: 'stampDeployment';
      readonly operations: readonly PatchOperation[];
      readonly emits: Emits;
    }
  /**
   * Records fields of the lifecycle's status; the conditions are derived from them. `fresh`: replaces the whole status.
   */
  | {
      readonly kind: 'record';
      readonly fresh?: boolean;
      readonly status: DeploymentLifecycleStatus;
      /** A message about a template that runs without a release. */
      readonly bypass?: string;
      readonly emits: Emits;
    }
  /**
   * Writes the condition Failed of the Deployment (ROLL-DH14); failure null: the rollout has not failed, or no longer
   * counts as failed.
   */
  | { readonly kind: 'reportDeployment'; readonly failure: RolloutFailure | null }
  /** Writes the condition of a lifecycle that is not in charge, because an older one names the same Deployment. */
  | { readonly kind: 'reportRival'; readonly rival: DeploymentLifecycle }
  /** Tests the gate by a server-side dry run of a changed template. */
  | { readonly kind: 'proveGate' }
  /** Carries out the next step of a hook. */
  | { readonly kind: 'stage'; readonly step: StageStep }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'deleteRun'; readonly run: HookRun }
);
