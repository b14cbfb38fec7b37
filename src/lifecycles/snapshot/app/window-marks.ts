/**
 * Decides the marks on the objects that a window admitted, and on their contents. Level-triggered, so that an object or
 * a content that appears after the end of the window is marked too (SNAP-W5). Pure.
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { AdmittedVerdict } from '../guard-kinds.ts';
import { VERDICT, VERDICT_REASON } from '../names.ts';
import type { AdmittedFacts } from './admitted-facts.ts';
import { atomicity, isCutIn } from './cut.ts';

export interface AdmittedMark {
  readonly kind: 'snapshot' | 'content' | 'group' | 'groupContent';
  readonly object: KubeObject;
  readonly verdict: AdmittedVerdict;
}

/** The marks that are missing or differ. */
export function admittedMarksDue(admitted: readonly AdmittedFacts[]): readonly AdmittedMark[] {
  return admitted.flatMap(marksOf).filter(({ object, verdict }) => {
    const labels = object.metadata?.labels ?? {};
    return labels[VERDICT] !== verdict.value || labels[VERDICT_REASON] !== verdict.reason;
  });
}

function marksOf(facts: AdmittedFacts): readonly AdmittedMark[] {
  const { object, content } = facts;
  const verdict = verdictOf(facts);
  if (verdict === null) return [];
  const mark = (kind: AdmittedMark['kind'], marked: KubeObject | null): readonly AdmittedMark[] =>
    marked === null ? [] : [{ kind, object: marked, verdict }];
  if (facts.kind === 'single') return [...mark('snapshot', object), ...mark('content', content)];
  const members = facts.members.flatMap((member) => [
    ...mark('snapshot', member.object),
    ...mark('content', member.content),
  ]);
  return [...mark('group', object), ...mark('groupContent', content), ...members];
}

/** null: there is none yet. An object that was not frozen gets its mark when it is cut: whether its parts are of one moment is known then. */
function verdictOf({ entry, content }: AdmittedFacts): AdmittedVerdict | null {
  const { verdict, unfrozen, cutSignal } = entry;
  if (verdict === undefined || unfrozen === undefined) return verdict ?? null;
  if (content === null || !isCutIn(content, cutSignal)) return null;
  if (atomicity(content).atomic !== false) return verdict;
  const message = `${verdict.message}; the copy is not known to be of one moment`;
  return { value: 'Inconsistent', reason: 'NotAtomic', message };
}
