/** Finds the templates of a Deployment, and which of them may run. Pure. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import type { Phase, ReleasedTemplate } from '../kinds.ts';
import { templateDigest } from '../template-digest.ts';
import type { Managed } from './facts.ts';
import { marksOf } from './marks.ts';
import { replicasOf } from './parts.ts';

/** A template that may run, without its rollout number. */
export type UnnumberedTemplate = Omit<ReleasedTemplate, 'number'>;

/** The Deployment controller's annotation with the revision of a template. */
const REVISION = 'deployment.kubernetes.io/revision';
/** The label that the Deployment controller adds to the template of a ReplicaSet. */
const HASH_LABEL = 'pod-template-hash';

/** The phases of a released rollout that has not ended and is not rolled back. */
const UNDER_WAY: readonly Phase[] = ['Releasing', 'Progressing', 'Post'];
const ROLLED_BACK: readonly Phase[] = ['RollingBack', 'RolledBack'];

export function digestOf({ deployment }: Pick<Managed, 'deployment'>): string {
  return templateDigest(deployment.spec?.template);
}

/**
 * The last released template. A new rollout is in the status before its release, and the replaced template stays in
 * `released` until the rollout ends. In between, the released number on the Deployment shows which of the two was
 * released last.
 */
export function releasedTemplate({
  lifecycle,
  deployment,
}: Pick<Managed, 'lifecycle' | 'deployment'>): ReleasedTemplate | null {
  const { rollout, released = null } = lifecycle.status ?? {};
  if (rollout === undefined || rollout.number !== marksOf(deployment).released) return released;
  // The template of this rollout was never released: the number was released with the earlier template.
  if (ROLLED_BACK.includes(rollout.phase) && rollout.releasedAt === undefined) return released;
  const { number, digest, template, toRevision } = rollout;
  return {
    number,
    digest,
    template,
    ...(toRevision === undefined ? {} : { revision: toRevision }),
    ...(UNDER_WAY.includes(rollout.phase) ? { unfinished: true } : {}),
  };
}

/** The newest ReplicaSet with this template that is not terminating; null: there is none. */
export function setOf(sets: readonly ReplicaSet[], digest: string): ReplicaSet | null {
  const same = sets.filter(
    ({ metadata, spec }) =>
      metadata?.deletionTimestamp === undefined && templateDigest(spec?.template) === digest,
  );
  return same.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0] ?? null;
}

/** 0: the ReplicaSet has no revision. */
export function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata?.annotations?.[REVISION] ?? '0');
}

export function presentTemplate(facts: Pick<Managed, 'deployment' | 'sets'>): UnnumberedTemplate {
  const digest = digestOf(facts);
  const set = setOf(facts.sets, digest);
  const revision = set === null ? {} : { revision: String(revisionOf(set)) };
  return { digest, template: facts.deployment.spec?.template ?? {}, ...revision };
}

/**
 * The template that ran last, according to the ReplicaSets: that of the newest ReplicaSet with pods. If none has pods:
 * that of the newest ReplicaSet whose template is not in the spec. null: no template has run.
 */
export function lastRun(facts: Pick<Managed, 'deployment' | 'sets'>): UnnumberedTemplate | null {
  const present = digestOf(facts);
  const others = facts.sets.filter(({ spec }) => templateDigest(spec?.template) !== present);
  return runningTemplate(facts) ?? newestOf(others);
}

/** The template of the newest ReplicaSet with replicas that is not terminating; null: there is none. */
export function runningTemplate({ sets }: Pick<Managed, 'sets'>): UnnumberedTemplate | null {
  return newestOf(sets.filter((set) => replicasOf(set) > 0));
}

function newestOf(sets: readonly ReplicaSet[]): UnnumberedTemplate | null {
  const [newest] = sets
    .filter((set) => !isTerminating(set))
    .toSorted((a, b) => revisionOf(b) - revisionOf(a));
  if (newest === undefined) return null;
  const stored = newest.spec?.template ?? {};
  const { metadata, ...rest } = stored;
  const { [HASH_LABEL]: _, ...labels } = metadata?.labels ?? {};
  const template = { metadata: { ...metadata, labels }, ...rest };
  // The digest of the stored template, because digests of immutable objects are cached. It does not cover HASH_LABEL.
  return { digest: templateDigest(stored), template, revision: String(revisionOf(newest)) };
}
