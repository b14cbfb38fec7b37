/**
 * The log of one Deployment in a simulation: its rollout numbers, and the versions that may run. A version is the hash
 * of a template.
 */
import type { Deployment, DeploymentStatus, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { versionOf } from './scene.ts';

export interface Stamped {
  readonly version: string;
  readonly isDrained: boolean;
  /** True if the lifecycle was deleted before any version was released. */
  readonly isLeft: boolean;
  readonly atMs: number;
}

export interface DeploymentLog {
  readonly uid: string;
  number: number | null;
  releasedNumber: number | null;
  /** The last released version; null if there is none. */
  released: string | null;
  /** The version in the spec. */
  present: string;
  /** Versions that were stored with a rollout number and have not been released since. */
  readonly held: Set<string>;
  /** True if the version in the spec may run only after the gate releases it. */
  isHeld: boolean;
  /** Versions whose pods may be created. */
  readonly runnable: Set<string>;
  /**
   * Simulated time at which the ReplicaSet of a version was scaled to 0, in milliseconds, keyed by version. The
   * controller that creates pods notices that a little later.
   */
  readonly emptied: Map<string, number>;
  /** Versions that were written without the label, so that the gate was not called. */
  readonly unguarded: Set<string>;
  /**
   * Versions that were in the spec without a rollout number and not paused, since the gate released a number last. A
   * lifecycle that is created late may count any of them as released: its cache may be outdated, and pods of several
   * may run.
   */
  readonly unnumbered: Set<string>;
  readonly stamps: Map<number, Stamped>;
  /** False if an older version had pods at a stamp that does not hold the replicas at 0, or got pods after it. */
  isSecure: boolean;
  /** True if the Deployment had no replicas at rest. Then the gate must hold the replicas at the stamp (ROLL-E15). */
  isEmpty: boolean;
  /** Rollout numbers whose rollout was once complete after the release. */
  readonly complete: Set<number>;
}

/**
 * False: this version was stamped, and its pods were drained. They must start again, so the hooks must run. True: a
 * rollback to the version may skip its hooks, because its pods run.
 */
export function mayRollBack(stamped: Stamped | undefined, version: string): boolean {
  return stamped?.version !== version || !stamped.isDrained;
}

export function newLog(uid: string): DeploymentLog {
  return {
    uid,
    number: null,
    releasedNumber: null,
    released: null,
    present: '',
    held: new Set(),
    isHeld: false,
    runnable: new Set(),
    emptied: new Map(),
    unguarded: new Set(),
    unnumbered: new Set(),
    stamps: new Map(),
    complete: new Set(),
    isSecure: true,
    isEmpty: false,
  };
}

export function release(log: DeploymentLog, version: string): void {
  log.released = version;
  log.held.delete(version);
  log.runnable.add(version);
}

/** Releases the only active version. If several versions are active, none is known to be the running one. */
export function releaseOnly(log: DeploymentLog, active: ReadonlySet<string>): void {
  const [only] = active;
  if (active.size === 1 && only !== undefined) release(log, only);
}

export function isOnlyReleased({ released }: DeploymentLog, active: ReadonlySet<string>): boolean {
  return released === null || (active.size === 1 && active.has(released));
}

/** Versions whose ReplicaSet should have pods. */
export function activeVersions(sets: readonly ReplicaSet[]): ReadonlySet<string> {
  return new Set(sets.filter(({ spec }) => (spec?.replicas ?? 0) > 0).map(versionOfSet));
}

export function versionOfSet({ spec }: ReplicaSet): string {
  return versionOf(spec?.template);
}

/** True if the spec has the released template again and is not scaled to 0. Its pods may not exist yet. */
export function isPutBack({ released }: DeploymentLog, { spec }: Deployment): boolean {
  return versionOf(spec?.template) === released && spec?.replicas !== 0;
}

/** True if all pods have the newest template and are available. */
export function isComplete({ metadata, spec, status = {} }: Deployment): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 }: DeploymentStatus = status;
  const counts = [updatedReplicas, replicas, availableReplicas];
  if (status.observedGeneration !== metadata?.generation) return false;
  return counts.every((count) => count === spec?.replicas);
}
