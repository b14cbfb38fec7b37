/** Validates a SnapshotRestore for the webhook: its schema, its rules, and that its spec never changes. */
import { type FieldProblem, forbidden } from '../../../controller/definitions/field-problem.ts';
import { type Findings, judge } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import type { ValidateInput } from '../schema/validate.ts';
import { checkRestoreSpec } from './check-spec.ts';
import type { SnapshotRestoreSpec } from './kinds.ts';
import { restoreSpecSchema } from './spec-schema.ts';

const UNCHANGED = 'a restore is made once, and its spec never changes: create another';

export function validateRestore({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined) {
    const same = sameJson(before['spec'], object['spec']);
    return { errors: same ? [] : [forbidden('spec', UNCHANGED)], warnings: [] };
  }
  return judgeRestoreSpec(object['spec'], resolveRecipe);
}

/** Also for the controller, since the webhook may not have run. */
export function judgeRestoreSpec(value: unknown, resolveRecipe: ResolveRecipe): Findings {
  const check = (spec: SnapshotRestoreSpec): FieldProblem[] =>
    checkRestoreSpec(spec, resolveRecipe);
  return judge(restoreSpecSchema, { field: 'spec', value }, { check, warn: warnings });
}

function warnings({ verify = [], requiredVerdict }: SnapshotRestoreSpec): string[] {
  return [
    ...(verify.length > 0 ? [] : ['spec.verify: without a check, the copy is not verified']),
    ...(requiredVerdict === 'Any'
      ? ['spec.requiredVerdict: Any restores a snapshot of unknown consistency']
      : []),
  ];
}
