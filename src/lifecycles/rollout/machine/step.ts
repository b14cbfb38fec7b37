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

/** One write to the Deployment; what is absent stays. */
export interface DeploymentChange {
  readonly template?: PodTemplateSpec;
  readonly paused?: boolean;
  readonly replicas?: number;
  readonly labelled?: boolean;
  /** null: taken off. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

type Told = RolloutEvent extends infer E
  ? E extends RolloutEvent
    ? Omit<E, 'namespace' | 'deployment'>
    : never
  : never;

/** What is told after a write went through, and not before. */
export interface Telling {
  readonly notices?: readonly Notice[];
  readonly observed?: readonly Told[];
}

/** The one next thing to do, with its reason. */
export type MachineStep = { readonly reason: string } & (
  | { readonly kind: 'wait' }
  | { readonly kind: 'waitFor'; readonly ms: number }
  | { readonly kind: 'addFinalizer' }
  /** Of the lifecycle that keeps the Deployment, or of a deleted one beside it. */
  | { readonly kind: 'removeFinalizer'; readonly rival?: DeploymentLifecycle }
  | {
      readonly kind: 'changeDeployment';
      readonly change: DeploymentChange;
      readonly telling: Telling;
    }
  /** The stamp of the gate, with its own test. */
  | {
      readonly kind: 'stampDeployment';
      readonly operations: readonly PatchOperation[];
      readonly telling: Telling;
    }
  /** Fields of the lifecycle's status; the conditions follow from them. `fresh`: nothing of it stays. */
  | {
      readonly kind: 'record';
      readonly fresh?: boolean;
      readonly status: DeploymentLifecycleStatus;
      /** What runs although it may not. */
      readonly bypass?: string;
      readonly telling: Telling;
    }
  /** The condition Failed of the Deployment (ROLL-DH14); null: it has not failed, or not any more. */
  | { readonly kind: 'tellDeployment'; readonly failure: RolloutFailure | null }
  /** A lifecycle that names a Deployment which has an older one. */
  | { readonly kind: 'tellRival'; readonly rival: DeploymentLifecycle }
  /** A server-side dry run of a change of the template. */
  | { readonly kind: 'proveGate' }
  /** The next step of a hook. */
  | { readonly kind: 'stage'; readonly step: StageStep }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'deleteRun'; readonly run: HookRun }
);
