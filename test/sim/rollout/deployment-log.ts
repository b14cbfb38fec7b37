/** What is known of one Deployment in a simulation: its numbers, and what may run of it. */
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
  /** The version that was released last. */
  released: string | null;
  /** The version in the spec. */
  present: string;
  /** Versions that were stored with a number, and not let run since. */
  readonly held: Set<string>;
  /** Nothing but the release of its gate lets the version in the spec run. */
  isHeld: boolean;
  /** Versions whose pods may be made. */
  readonly runnable: Set<string>;
  /** When the set of a version that ran went to 0, milliseconds: the creator of pods learns it a little later. */
  readonly emptied: Map<string, number>;
  /** Versions that were written while the label was off: the gate was not asked. */
  readonly unguarded: Set<string>;
  readonly stamps: Map<number, Stamped>;
  /** When it was paused nothing but the released version had pods, or its replicas were held. */
  isSecure: boolean;
  /** It was at rest with no replicas: the gate has to hold them when it stamps (ROLL-E15). */
  isEmpty: boolean;
  /** Numbers that were once complete after their release. */
  readonly complete: Set<number>;
}

/** Its pods run already: its hooks are passed by. After a drain they have to start. */
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

/** Of several active versions, none is known to be the one that runs. */
export function releaseOnly(log: DeploymentLog, active: ReadonlySet<string>): void {
  const [only] = active;
  if (active.size === 1 && only !== undefined) release(log, only);
}

export function isOnlyReleased({ released }: DeploymentLog, active: ReadonlySet<string>): boolean {
  return released === null || (active.size === 1 && active.has(released));
}

/** Versions of which there are to be pods. */
export function activeVersions(sets: readonly ReplicaSet[]): ReadonlySet<string> {
  return new Set(sets.filter(({ spec }) => (spec?.replicas ?? 0) > 0).map(versionOfSet));
}

export function versionOfSet({ spec }: ReplicaSet): string {
  return versionOf(spec?.template);
}

/** What was drained has its template and its number again: its pods are not created yet. */
export function isPutBack({ released }: DeploymentLog, { spec }: Deployment): boolean {
  return versionOf(spec?.template) === released && spec?.replicas !== 0;
}

/** All of its pods are of the newest template and available. */
export function isComplete({ metadata, spec, status = {} }: Deployment): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 }: DeploymentStatus = status;
  const counts = [updatedReplicas, replicas, availableReplicas];
  if (status.observedGeneration !== metadata?.generation) return false;
  return counts.every((count) => count === spec?.replicas);
}
