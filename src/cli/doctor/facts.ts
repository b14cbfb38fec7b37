/** What `lifehook doctor` gathers before it decides anything. Times are wall-clock milliseconds, sizes are bytes. */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import type { MissingPermission } from '../../controller/ask-permissions.ts';
import type { Capabilities, ServerVersion } from '../../kube/capabilities.ts';
import type { SnapshotClass } from '../../kube/snapshots.ts';
import type { GateProof } from '../../lifecycles/rollout/gate/armed-probe.ts';
import type { DeploymentLifecycle } from '../../lifecycles/rollout/kinds.ts';
import type { ApplicationSnapshot, ExecutionHook } from '../../lifecycles/snapshot/kinds.ts';
import type { Problem } from '../../model/problem.ts';
import type { Proof } from '../rollout/gate-proofs.ts';
import type { Asked, Right } from './asked.ts';

export interface Facts {
  readonly local: LocalFacts;
  readonly cluster: ClusterFacts;
}

export interface LocalFacts {
  /** "20.19.4" */
  readonly nodeVersion: string;
  /** null: none is on the PATH. */
  readonly kubectl: { readonly path: string; readonly version: ServerVersion | null } | null;
  readonly strays: readonly StrayProcess[];
  readonly places: readonly Place[];
}

/** A process of ours whose cluster or container no longer uses it. */
export interface StrayProcess {
  readonly pid: number;
  readonly role: 'pod' | 'cluster' | 'container';
  /** The state directory of its cluster, or the directory of its container. */
  readonly folder: string;
  /** `lifehook down --state-dir` stops it. */
  readonly isThere: boolean;
}

/** A directory that we write to. */
export interface Place {
  readonly role: string;
  readonly path: string;
  /** What writing there would fail with: "EACCES"; null: it can be written, or made. */
  readonly refused: string | null;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** What it contains; null: it does not exist. */
  readonly used: {
    readonly bytes: number;
    readonly files: number;
    readonly isWhole: boolean;
  } | null;
}

export type ClusterFacts =
  /** No kubeconfig, and not in a cluster. `localKubeconfig`: of a local cluster that runs. */
  | { readonly kind: 'none'; readonly localKubeconfig: string | null }
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }
  /** `isRefused`: it answered, and does not accept the credentials. */
  | ({
      readonly kind: 'unreachable';
      readonly why: string;
      readonly isRefused?: boolean;
    } & ClusterPlace)
  | ReachedCluster;

export interface ClusterPlace {
  /** `context "kind-dev" of /home/me/.kube/config` */
  readonly source: string;
  readonly server: string;
}

export interface ReachedCluster extends ClusterPlace {
  readonly kind: 'reached';
  /** Of --namespace, else of the context. */
  readonly namespace: string;
  readonly version: ServerVersion;
  readonly clock: Clocks;
  readonly kinds: readonly KindFacts[];
  readonly capabilities: Capabilities;
  readonly snapshotClasses: Asked<readonly SnapshotClass[]>;
  /** Absent: the server has no such kind that we know. */
  readonly groupClasses?: Asked<readonly SnapshotClass[]>;
  readonly controllers: ControllerFacts;
  readonly gate: GateFacts;
  /** What this user may not do in the namespace. */
  readonly missing: Asked<readonly MissingPermission[]>;
  readonly objects: ObjectFacts;
}

export interface Clocks {
  /** When the answer arrived, by this machine. */
  readonly localMs: number;
  /** Of the answer's Date header; null: it had none. */
  readonly serverMs: number | null;
  readonly roundTripMs: number;
}

export interface KindFacts {
  readonly kind: string;
  /** "executionhooks.lifehook.dev" */
  readonly name: string;
  /** By discovery, which every user may read. */
  readonly isServed: boolean;
  readonly definition: Asked<CustomResourceDefinition>;
  /** Fields of ours that the stored schema has not: "spec.rescue". */
  readonly missingFields: readonly string[];
}

export interface ControllerFacts {
  readonly leases: Asked<readonly Lease[]>;
  /** Of those; it is renewed now, or was renewed while we watched. */
  readonly renewed: Lease | null;
  /** The Deployments that `lifehook install` made. */
  readonly deployments: Asked<readonly Deployment[]>;
  /** For each of them, what its service account may not do. */
  readonly missing: readonly {
    readonly account: string;
    readonly permissions: Asked<readonly MissingPermission[]>;
  }[];
}

export interface GateFacts {
  /** The configurations that are stored. */
  readonly proofs: Asked<readonly Proof[]>;
  /** Dry runs through the webhook. */
  readonly dryRuns: readonly DryRun[];
  /** Gated Deployments that were left out, since there are so many. */
  readonly leftOut: number;
}

export interface DryRun {
  /** null: none is gated, so one was created, as a dry run. */
  readonly deployment: { readonly namespace: string; readonly name: string } | null;
  readonly proof: Asked<GateProof>;
}

export interface ObjectFacts {
  readonly hooks: Seen<ExecutionHook>;
  readonly snapshots: Seen<ApplicationSnapshot>;
  readonly lifecycles: Seen<DeploymentLifecycle>;
  /** References to templates, and whether each is there. */
  readonly templates: readonly TemplateReference[];
}

/** Objects of the namespaces that the user may list. */
export type Seen<T> = Asked<{
  readonly items: readonly T[];
  /** The right that is missing for all namespaces, where only one was listed. */
  readonly onlyIn?: { readonly namespace: string; readonly right: Right };
}>;

export interface TemplateReference {
  readonly namespace: string;
  readonly template: string;
  /** "ExecutionHook night", "the annotation of PersistentVolumeClaim data" */
  readonly by: string;
  readonly found: Asked<object>;
}
