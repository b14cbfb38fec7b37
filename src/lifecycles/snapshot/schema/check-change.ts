/** The fields that may not change: only an update that changes them is refused. */
import { type FieldProblem, forbidden } from '../../../controller/definitions/field-problem.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { ApplicationSnapshot, ExecutionHook } from '../kinds.ts';

/**
 * SNAP-I10: the resolved actions run, so a later change would have no effect. Before they are resolved, a change would
 * run actions for which the author's permissions were not checked.
 */
export function checkHookChange(before: ExecutionHook, after: ExecutionHook): FieldProblem[] {
  if (sameJson(before.spec, after.spec)) return [];
  const detail = 'the spec of a hook never changes: delete it, and create another';
  return [forbidden('spec', detail)];
}

export function checkSnapshotChange(
  before: ApplicationSnapshot,
  after: ApplicationSnapshot,
): FieldProblem[] {
  if (sameJson(before.spec, after.spec)) return [];
  const detail = 'a snapshot is of one moment, and its spec never changes: create another';
  return [forbidden('spec', detail)];
}
