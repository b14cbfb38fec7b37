/**
 * The facts that `lifehook doctor` reads before it decides anything. Times are wall-clock milliseconds, and sizes are
 * bytes.
 */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import type { MissingPermission } from '../../controller/ask-permissions.ts';
import type { Capabilities, ServerVersion } from '../../kube/capabilities.ts';
import type { Problem } from '../../model/problem.ts';
import type { Asked } from './asked.ts';
import type { Finding } from './finding.ts';

export interface Facts {
  readonly local: LocalFacts;
  readonly cluster: ClusterFacts;
}

/** One check, which is pure. It returns no finding if it has nothing to check. */
export type Check = (facts: Facts) => readonly Finding[];

export interface LocalFacts {
  /** Example: "20.19.4" */
  readonly nodeVersion: string;
  /** null: PATH has no kubectl. */
  readonly kubectl: { readonly path: string; readonly version: ServerVersion | null } | null;
  readonly strays: readonly StrayProcess[];
  readonly places: readonly Place[];
}

/** A process of Lifehook that no cluster or container uses any more. */
export interface StrayProcess {
  readonly pid: number;
  readonly role: 'pod' | 'cluster' | 'container';
  /** The state directory of its cluster, or the directory of its container. */
  readonly folder: string;
  /** True: the directory exists, so that `lifehook down --state-dir` can stop the process. */
  readonly isThere: boolean;
}

/** A directory that Lifehook writes to. */
export interface Place {
  readonly role: string;
  readonly path: string;
  /** The error code of a read or write, such as "EACCES"; null: the directory can be used, or created. */
  readonly refused: string | null;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** The content of the directory; null: the directory does not exist. */
  readonly used: {
    readonly bytes: number;
    readonly files: number;
    readonly isWhole: boolean;
  } | null;
}

export type ClusterFacts =
  /**
   * There is no kubeconfig, and this process is not in a cluster. `localKubeconfig`: that of a running local cluster;
   * null: none runs.
   */
  | { readonly kind: 'none'; readonly localKubeconfig: string | null }
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] }
  /** The API server could not be used. `isRefused`: it answered, but rejected the credentials. */
  | ({
      readonly kind: 'unreachable';
      readonly why: string;
      readonly isRefused?: boolean;
    } & ClusterPlace)
  | ReachedCluster;

export function hasOwnKinds({ kinds }: ReachedCluster): boolean {
  return kinds.some(({ isServed }) => isServed);
}

export interface ClusterPlace {
  /** Where the connection data are from, such as `context "kind-dev" of /home/me/.kube/config`. */
  readonly source: string;
  readonly server: string;
}

export interface ReachedCluster extends ClusterPlace {
  readonly kind: 'reached';
  /** The namespace of --namespace, else that of the context. */
  readonly namespace: string;
  readonly version: ServerVersion;
  readonly clock: Clocks;
  readonly kinds: readonly KindFacts[];
  readonly capabilities: Capabilities;
  readonly controllers: ControllerFacts;
  /** The permissions that this user lacks in the namespace. */
  readonly missing: Asked<readonly MissingPermission[]>;
  readonly lifecycles: readonly Judge[];
}

/** A section of the report to which lifecycles add findings. */
export type Section = 'kinds' | 'webhooks' | 'objects';

/** Decides what the facts of one lifecycle mean. Pure. */
export type Judge = (
  cluster: ReachedCluster,
) => Readonly<Partial<Record<Section, readonly Finding[]>>>;

export interface Clocks {
  /** Wall clock, milliseconds: the local time at which the answer arrived. */
  readonly localMs: number;
  /** Wall clock, milliseconds: the time in the answer's Date header; null: the answer had no such header. */
  readonly serverMs: number | null;
  readonly roundTripMs: number;
}

export interface KindFacts {
  readonly kind: string;
  /** Example: "executionhooks.lifehook.dev" */
  readonly name: string;
  /** True: discovery lists the kind. Every user may read discovery. */
  readonly isServed: boolean;
  readonly definition: Asked<CustomResourceDefinition>;
  /** Fields of Lifehook that the installed schema lacks, such as "spec.rescue". */
  readonly missingFields: readonly string[];
}

export interface ControllerFacts {
  readonly leases: Asked<readonly Lease[]>;
  /** A Lease that its leader renews now, or has renewed during the check; null: there is none. */
  readonly renewed: Lease | null;
  /** Local wall clock, milliseconds: when `renewed` was read. */
  readonly renewalSeenMs: number;
  /** The Deployments that `lifehook install` created. */
  readonly deployments: Asked<readonly Deployment[]>;
  /** For each service account of these Deployments, the permissions that it lacks. */
  readonly missing: readonly {
    readonly account: string;
    readonly permissions: Asked<readonly MissingPermission[]>;
  }[];
}
