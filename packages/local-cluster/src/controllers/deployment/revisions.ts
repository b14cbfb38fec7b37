/** Reads and computes the revisions of ReplicaSets, and the annotations that store them. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { LAST_APPLIED } from '../../../../../src/kube/object.ts';
import { replicasOf, limitsOf } from './rolling-plan.ts';
import { DESIRED_ANNOTATION, MAX_ANNOTATION } from './replica-sets.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
/** Annotation with the earlier revisions of a ReplicaSet that became current again, such as "1,3". */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';
/** Maximum number of characters of the list of earlier revisions; above it the oldest are dropped. */
export const HISTORY_CHARACTERS_MAX = 2_000;

type Annotations = Readonly<Record<string, string>>;

/** Annotations that are never copied between a deployment and its ReplicaSets. */
const OWN = new Set([
  LAST_APPLIED,
  REVISION,
  REVISION_HISTORY,
  DESIRED_ANNOTATION,
  MAX_ANNOTATION,
  ROLLBACK_TO,
]);

/** Returns 0 if there is no revision, or if it is not a number. */
export function revisionOf({ metadata }: ReplicaSet | Deployment): number {
  return numberOf(metadata?.annotations?.[REVISION]) ?? 0;
}

export function highestRevision(sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.map((set) => revisionOf(set)));
}

/** The second highest revision; 0 if there is none. */
export function revisionBefore(sets: readonly ReplicaSet[]): number {
  const [, before = 0] = sets.map((set) => revisionOf(set)).toSorted((a, b) => b - a);
  return before;
}

/**
 * The new annotations of the current ReplicaSet, whose annotations were `before`: they get those of the deployment, and
 * the given revision if it is higher than the revision that the ReplicaSet has.
 */
export function currentSetAnnotations(
  deployment: Deployment,
  before: Annotations,
  revision: number,
): Annotations {
  return { ...before, ...shared(deployment.metadata?.annotations), ...numbered(before, revision) };
}

/** The desired size and the largest size during a rollout. Proportional scaling computes shares from them. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const replicas = replicasOf(deployment);
  return {
    [DESIRED_ANNOTATION]: String(replicas),
    [MAX_ANNOTATION]: String(replicas + limitsOf(deployment).maxSurge),
  };
}

/**
 * Annotations of the deployment after a rollback: those of the ReplicaSet, and the deployment's own ones that are never
 * copied.
 */
export function rolledBackAnnotations(deployment: Annotations, set: Annotations): Annotations {
  const own = Object.entries(deployment).filter(([name]) => OWN.has(name));
  return { ...Object.fromEntries(own), ...shared(set) };
}

function shared(annotations: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !OWN.has(name)));
}

function numbered(before: Annotations, revision: number): Annotations {
  const text = before[REVISION];
  const old = numberOf(text);
  // A revision that is not a number, because a user edited it, is not changed.
  if (text !== undefined && text !== '' && old === null) return {};
  if ((old ?? 0) >= revision) return {};
  if (text === undefined) return { [REVISION]: String(revision) };
  const history = longerHistory(before[REVISION_HISTORY] ?? '', text);
  return { [REVISION]: String(revision), [REVISION_HISTORY]: history };
}

function longerHistory(history: string, revision: string): string {
  if (history === '') return revision;
  const all = [...history.split(','), revision];
  while (all.length > 1 && all.join(',').length > HISTORY_CHARACTERS_MAX) all.shift();
  return all.join(',');
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}
