/** What may not change once it stands: only an update that changes it is refused. */
import { type FieldProblem, forbidden } from '../../../controller/definitions/field-problem.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { ApplicationSnapshot, ExecutionHook } from '../kinds.ts';

/**
 * SNAP-I10: what was resolved is what runs, and a later change would do nothing. Before that the author was asked for
 * the right to run what the hook was created with.
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
