/**
 * Conditions of a status, as pure values.
 *
 *  CTRL-K1 `lastTransitionTime` moves when `status` flips, and at no other time.
 *  CTRL-K2 What changes nothing gives the same array back, so that nothing is written.
 *  CTRL-K3 A type stands in the list once; the others keep their places.
 */
import { timeText } from './kube-time.ts';

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** One word in CamelCase. */
  reason: string;
  message: string;
  /** The generation of the spec that this was judged on. */
  observedGeneration?: number;
  lastTransitionTime: string;
}

export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

export function setCondition(
  conditions: readonly Condition[],
  next: NewCondition,
  nowMs: number,
): readonly Condition[] {
  const before = findCondition(conditions, next.type);
  if (before === undefined)
    return [...conditions, { ...next, lastTransitionTime: timeText(nowMs) }];
  if (saysTheSame(before, next)) return conditions;
  const flipped = before.status !== next.status;
  const lastTransitionTime = flipped ? timeText(nowMs) : before.lastTransitionTime;
  const after = { ...next, lastTransitionTime };
  return conditions.map((condition) => (condition === before ? after : condition));
}

export function findCondition(
  conditions: readonly Condition[],
  type: string,
): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

function saysTheSame(before: Condition, next: NewCondition): boolean {
  return (
    before.status === next.status &&
    before.reason === next.reason &&
    before.message === next.message &&
    before.observedGeneration === next.observedGeneration
  );
}
