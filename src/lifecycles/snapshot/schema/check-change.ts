/** What may not change once it stands: only an update that changes it is refused. */
import { type FieldProblem, forbidden } from '../../../controller/definitions/field-problem.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { ApplicationSnapshot, ExecutionHook } from '../kinds.ts';

/** I10: what was resolved is what runs; a change to the spec would do nothing, and look as if it did. */
export function checkHookChange(before: ExecutionHook, after: ExecutionHook): FieldProblem[] {
  if (before.status?.resolved === undefined || sameJson(before.spec, after.spec)) return [];
  const detail =
    'the hook has begun, and keeps what it resolved then: delete it, and create another';
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
