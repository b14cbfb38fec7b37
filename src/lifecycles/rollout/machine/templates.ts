/** Which template a Deployment has, and which one of its templates may run. Pure. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import type { Phase, ReleasedTemplate } from '../kinds.ts';
import { templateDigest } from '../template-digest.ts';
import type { Managed } from './facts.ts';
import { marksOf } from './marks.ts';

/** What the Deployment controller counts its templates with. */
const REVISION = 'deployment.kubernetes.io/revision';

/** After the release, and before its end. */
const UNDER_WAY: readonly Phase[] = ['Releasing', 'Progressing', 'Post'];
const ROLLED_BACK: readonly Phase[] = ['RollingBack', 'RolledBack'];

export function digestOf({ deployment }: Pick<Managed, 'deployment'>): string {
  return templateDigest(deployment.spec?.template);
}

/**
 * The last template that was released. The status tells of a rollout before it is released, and of what it
 * replaces until it has ended: so between the two the number on the Deployment says which of both it is.
 */
export function releasedTemplate({
  lifecycle,
  deployment,
}: Pick<Managed, 'lifecycle' | 'deployment'>): ReleasedTemplate | null {
  const { rollout, released = null } = lifecycle.status ?? {};
  if (rollout === undefined || rollout.number !== marksOf(deployment).released) return released;
  // It was never released: its number went to the template before it.
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

/** The newest set with this template that is not being deleted. */
export function setOf(sets: readonly ReplicaSet[], digest: string): ReplicaSet | null {
  const same = sets.filter(
    ({ metadata, spec }) =>
      metadata?.deletionTimestamp === undefined && templateDigest(spec?.template) === digest,
  );
  return same.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0] ?? null;
}

/** 0: it has none. */
export function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata?.annotations?.[REVISION] ?? '0');
}
