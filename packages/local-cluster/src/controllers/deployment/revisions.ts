/** Revisions: which number a set has, which it gets, and the annotations that say so. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { replicasOf, limitsOf } from './limits.ts';
import { DESIRED_ANNOTATION, MAX_ANNOTATION } from './replica-sets.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
/** Earlier numbers of a set that was gone back to: "1,3". */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';
/** Of the list of earlier numbers; the oldest go first. */
export const HISTORY_CHARACTERS_MAX = 2_000;

type Annotations = Readonly<Record<string, string>>;

/** What one of both says about itself, and never about the other. */
const OWN = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_ANNOTATION,
  MAX_ANNOTATION,
  ROLLBACK_TO,
]);

/** 0: it has none, or none that is a number. */
export function revisionOf({ metadata }: ReplicaSet | Deployment): number {
  return numberOf(metadata?.annotations?.[REVISION]) ?? 0;
}

export function highestRevision(sets: readonly ReplicaSet[]): number {
  return Math.max(0, ...sets.map((set) => revisionOf(set)));
}

/** The one before the highest; 0: there is none. */
export function revisionBefore(sets: readonly ReplicaSet[]): number {
  const [, before = 0] = sets.map((set) => revisionOf(set)).toSorted((a, b) => b - a);
  return before;
}

/** The current set's annotations: the deployment's, and its number, which never goes down. */
export function currentSetAnnotations(
  deployment: Deployment,
  before: Annotations,
  revision: number,
): Annotations {
  return { ...before, ...shared(deployment.metadata?.annotations), ...numbered(before, revision) };
}

/** How large the deployment is and may become while it rolls: what proportional scaling goes by. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const replicas = replicasOf(deployment);
  return {
    [DESIRED_ANNOTATION]: String(replicas),
    [MAX_ANNOTATION]: String(replicas + limitsOf(deployment).maxSurge),
  };
}

/** A deployment that goes back to a set takes the set's annotations over, but keeps what is its own. */
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
  // A number that somebody has spoilt is left as it is.
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
