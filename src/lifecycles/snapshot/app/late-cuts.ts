/**
 * Decides the marks on the VolumeSnapshotContents that a failed snapshot leaves behind. Pure.
 *
 * The storage may cut a volume after the failure, and the class may retain that content. The mark warns every user of
 * it.
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { VolumeGroupSnapshotContent, VolumeSnapshotContent } from '../../../kube/snapshots.ts';
import { VERDICT, VERDICT_REASON } from '../names.ts';
import type { SnapshotFacts } from './facts.ts';

/** The reason on a content that was not cut when its snapshot failed. */
export const NOT_CUT = 'NotCut';
/** The reason on a content that was cut after its snapshot failed. */
export const LATE_CUT = 'LateCut';

export interface Mark {
  readonly kind: 'content' | 'groupContent';
  readonly object: VolumeSnapshotContent | VolumeGroupSnapshotContent;
  readonly reason: string;
  /** Whether the content was cut after the failure: an Event reports that. */
  readonly isLate: boolean;
}

/** The marks that are missing, or that need another reason. */
export function marksDue({ volumes, group }: SnapshotFacts, reason: string): readonly Mark[] {
  const contents = volumes.flatMap(({ content }) =>
    content === null ? [] : markDue({ kind: 'content', object: content }, reason),
  );
  const object = group?.content ?? null;
  return object === null
    ? contents
    : [...markDue({ kind: 'groupContent', object }, reason), ...contents];
}

function markDue(of: Pick<Mark, 'kind' | 'object'>, reason: string): readonly Mark[] {
  const reported = reportedReason(of.object);
  const isCut = of.object.status?.creationTime !== undefined;
  const isLate = reported === NOT_CUT && isCut;
  // Another client may have changed the reason.
  const known: readonly (string | undefined)[] = isCut ? [reason, LATE_CUT] : [NOT_CUT];
  if (known.includes(reported)) return [];
  return [{ ...of, reason: isLate ? LATE_CUT : isCut ? reason : NOT_CUT, isLate }];
}

/** undefined: the content is not marked as Inconsistent. */
function reportedReason({ metadata }: KubeObject): string | undefined {
  const labels = metadata?.labels ?? {};
  return labels[VERDICT] === 'Inconsistent' ? labels[VERDICT_REASON] : undefined;
}
