/**
 * Decides the marks on the objects that a window admitted or a snapshot created, and on their contents. Pure.
 *
 * The decision uses only the current state, so an object or a content that appears after the end of the window is
 * marked too (SNAP-W5).
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { Verdict, ApplicationSnapshot, AdmittedVerdict } from '../kinds.ts';
import type { AdmittedFacts } from './admitted-facts.ts';
import { atomicity, isCutIn } from './cut.ts';
import type { SnapshotFacts } from './facts.ts';
import { identify } from './identify.ts';
import { freezeWindowOf } from './verdict.ts';
import { hasMarks, verdictMarks, type VerdictMarks } from './verdict-marks.ts';

export interface DueMark {
  readonly kind: 'snapshot' | 'content' | 'group' | 'groupContent';
  readonly object: KubeObject;
  readonly verdict: AdmittedVerdict;
  readonly marks: VerdictMarks;
}

/** The missing or wrong marks of the objects that a window admitted. */
export function admittedMarksDue({
  snapshot,
  admitted,
}: Pick<SnapshotFacts, 'snapshot' | 'admitted'>): readonly DueMark[] {
  return admitted.flatMap((each) => marksOf(snapshot, each)).filter(isDue);
}

/**
 * The missing marks of a completed snapshot, on the VolumeSnapshots or the group that it created, the members of the
 * group, and the contents of all of them.
 */
export function ownMarksDue(
  { snapshot, volumes, group }: Pick<SnapshotFacts, 'snapshot' | 'volumes' | 'group'>,
  verdict: Verdict,
): readonly DueMark[] {
  const marks = verdictMarks(snapshot, verdict);
  const mark = (kind: DueMark['kind'], object: KubeObject | null): DueMark[] =>
    object === null ? [] : [{ kind, object, verdict, marks }];
  const ofVolumes = volumes.flatMap(({ plan, snapshot: object, content }) => [
    ...mark('snapshot', withUid(object, plan.volumeSnapshotUID)),
    ...mark('content', content),
  ]);
  const { volumeGroupSnapshotUID } = snapshot.status ?? {};
  const ofGroup = [
    ...mark('group', withUid(group?.snapshot ?? null, volumeGroupSnapshotUID)),
    ...mark('groupContent', group?.content ?? null),
  ];
  return [...ofGroup, ...ofVolumes].filter(isDue);
}

/** The object, if it has this UID; null: it was deleted, or is a later one of the same name. */
function withUid(object: KubeObject | null, uid: string | undefined): KubeObject | null {
  return object !== null && identify(object).uid === uid ? object : null;
}

function isDue({ object, marks }: DueMark): boolean {
  return !hasMarks(object, marks);
}

function marksOf(window: ApplicationSnapshot, facts: AdmittedFacts): readonly DueMark[] {
  const { object, content } = facts;
  const verdict = verdictOf(facts);
  if (verdict === null) return [];
  const marks = verdictMarks(window, { ...verdict, ...decisionOf(window) });
  const mark = (kind: DueMark['kind'], marked: KubeObject | null): readonly DueMark[] =>
    marked === null ? [] : [{ kind, object: marked, verdict, marks }];
  if (facts.kind === 'single') return [...mark('snapshot', object), ...mark('content', content)];
  const members = facts.members.flatMap((member) => [
    ...mark('snapshot', member.object),
    ...mark('content', member.content),
  ]);
  return [...mark('group', object), ...mark('groupContent', content), ...members];
}

/**
 * The time of the verdict and the freeze window, for the marks. They are equal in each reconcile, so that existing
 * marks do not change.
 */
function decisionOf({
  metadata,
  status = {},
}: ApplicationSnapshot): Pick<Verdict, 'decidedAt' | 'freezeWindowMs'> {
  const freezeWindowMs = freezeWindowOf(status.hooks ?? []);
  const { failure, completedAt } = status;
  const decidedAt = failure?.at ?? completedAt ?? metadata?.deletionTimestamp ?? '';
  return freezeWindowMs === null ? { decidedAt } : { decidedAt, freezeWindowMs };
}

/**
 * null: no verdict yet. An object that was not frozen gets its mark only when it is cut: before that, it is not known
 * whether its parts are of one moment.
 */
function verdictOf({ entry, content }: AdmittedFacts): AdmittedVerdict | null {
  const { verdict, unfrozen, cutSignal } = entry;
  if (verdict === undefined || unfrozen === undefined) return verdict ?? null;
  if (content === null || !isCutIn(content, cutSignal)) return null;
  if (atomicity(content).atomic !== false) return verdict;
  const message = `${verdict.message}; this snapshot may mix data of different moments`;
  return { value: 'Inconsistent', reason: 'NotAtomic', message };
}
