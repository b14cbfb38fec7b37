/** Record of one Deployment in a simulation: its numbers, and the versions that may run. */
import type { Deployment, DeploymentStatus, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { versionOf } from './scene.ts';

export interface Stamped {
  readonly version: string;
  readonly isDrained: boolean;
  /** Its lifecycle was deleted before anything was released. */
  readonly isLeft: boolean;
  readonly atMs: number;
}

export interface DeploymentLog {
  readonly uid: string;
  number: number | null;
  releasedNumber: number | null;
  /** The last released version. */
  released: string | null;
  /** The version in the spec. */
  present: string;
  /** Versions that were stored with a number, and not released since. */
  readonly held: Set<string>;
  /** True: only the release of its gate lets the version in the spec run. */
  isHeld: boolean;
  /** Versions whose pods may be created. */
  readonly runnable: Set<string>;
  /**
   * Keyed by version: when its ReplicaSet was scaled to 0, milliseconds. The creator of pods sees that a little
   * later.
   */
  readonly emptied: Map<string, number>;
  /** Versions that were written without the label: the gate was not called. */
  readonly unguarded: Set<string>;
  readonly stamps: Map<number, Stamped>;
  /** True: at the time of the pause only the released version had pods, or its replicas were held. */
  isSecure: boolean;
  /** True: it had no replicas at rest, so the gate must hold them when it stamps (ROLL-E15). */
  isEmpty: boolean;
  /** Numbers that were once complete after their release. */
  readonly complete: Set<number>;
}

/** Its pods already run, so its hooks are skipped. After a drain they must start. */
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

/** If several versions are active, none is known to be the one that runs. */
export function releaseOnly(log: DeploymentLog, active: ReadonlySet<string>): void {
  const [only] = active;
  if (active.size === 1 && only !== undefined) release(log, only);
}

export function isOnlyReleased({ released }: DeploymentLog, active: ReadonlySet<string>): boolean {
  return released === null || (active.size === 1 && active.has(released));
}

/** Versions that should have pods. */
export function activeVersions(sets: readonly ReplicaSet[]): ReadonlySet<string> {
  return new Set(sets.filter(({ spec }) => (spec?.replicas ?? 0) > 0).map(versionOfSet));
}

export function versionOfSet({ spec }: ReplicaSet): string {
  return versionOf(spec?.template);
}

/** A drained Deployment has its template and its number again, but its pods are not created yet. */
export function isPutBack({ released }: DeploymentLog, { spec }: Deployment): boolean {
  return versionOf(spec?.template) === released && spec?.replicas !== 0;
}

/** All of its pods have the newest template and are available. */
export function isComplete({ metadata, spec, status = {} }: Deployment): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 }: DeploymentStatus = status;
  const counts = [updatedReplicas, replicas, availableReplicas];
  if (status.observedGeneration !== metadata?.generation) return false;
  return counts.every((count) => count === spec?.replicas);
}
