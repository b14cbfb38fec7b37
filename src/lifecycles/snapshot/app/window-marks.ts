/**
 * Decides the marks on the objects that a window admitted, and on their contents. Pure.
 *
 * The decision uses only the current state, so an object or a content that appears after the end of the window is
 * marked too (SNAP-W5).
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { Verdict, ApplicationSnapshot, AdmittedVerdict } from '../kinds.ts';
import type { AdmittedFacts } from './admitted-facts.ts';
import { atomicity, isCutIn } from './cut.ts';
import type { SnapshotFacts } from './facts.ts';
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

/** The missing marks of a completed snapshot, on the VolumeSnapshots that it created and on their contents. */
export function ownMarksDue(
  { snapshot, volumes }: Pick<SnapshotFacts, 'snapshot' | 'volumes'>,
  verdict: Verdict,
): readonly DueMark[] {
  const marks = verdictMarks(snapshot, verdict);
  return volumes
    .flatMap(({ plan, snapshot: object, content }): readonly DueMark[] => [
      // A later VolumeSnapshot may have the same name by now.
      ...(object === null || object.metadata?.uid !== plan.volumeSnapshotUID
        ? []
        : [{ kind: 'snapshot', object, verdict, marks } as const]),
      ...(content === null ? [] : [{ kind: 'content', object: content, verdict, marks } as const]),
    ])
    .filter(isDue);
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

/** The result is equal in each reconcile, so that existing marks do not change. */
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
