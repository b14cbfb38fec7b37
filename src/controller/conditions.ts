/**
 * Conditions of a status, as pure values.
 *
 *  CTRL-K1 `lastTransitionTime` changes exactly when `status` changes.
 *  CTRL-K2 If the new condition equals the old one, the same array is returned, so that nothing is written.
 *  CTRL-K3 A type is in the list once; the other types keep their positions.
 */
import type * as z from 'zod';

import type { ObjectMeta } from '../kube/object.ts';
import type { conditionSchema } from './definitions/field-schemas.ts';
import { timeText } from './kube-time.ts';

export interface Condition extends z.output<typeof conditionSchema> {}

export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** A condition about the current generation of its object. */
export type Reported = Omit<NewCondition, 'observedGeneration'>;

/** The status with the reported conditions set; a null in the list is skipped. */
export function withReported<S extends { readonly conditions?: readonly Condition[] }>(
  status: S,
  reported: readonly (Reported | null)[],
  { metadata, nowMs }: { readonly metadata: ObjectMeta | undefined; readonly nowMs: number },
): Omit<S, 'conditions'> & { observedGeneration: number; conditions: Condition[] } {
  const observedGeneration = metadata?.generation ?? 0;
  const conditions = reported.reduce<readonly Condition[]>(
    (known, next) =>
      next === null ? known : setCondition(known, { ...next, observedGeneration }, nowMs),
    status.conditions ?? [],
  );
  return { ...status, observedGeneration, conditions: [...conditions] };
}

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
