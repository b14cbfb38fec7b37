/** Checks the rules of `schema/` again, since the webhook may not have run. Returns a message, or null if all hold. */
import {
  type FieldProblem,
  fieldProblemsMessage,
} from '../../../controller/definitions/field-problem.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { judgeSnapshotSpec, validateHookInfos } from '../schema/validate.ts';

export function whyWrongSpec({ spec }: ApplicationSnapshot): string | null {
  return messageOf(judgeSnapshotSpec(spec, resolveRecipe).errors);
}

/** Checks the hook infos in the annotation `field`, which no webhook checks. */
export function whyWrongInfos(field: string, infos: unknown): string | null {
  return messageOf(validateHookInfos(infos, { field, resolveRecipe }).errors);
}

function messageOf(problems: readonly FieldProblem[]): string | null {
  return problems.length === 0 ? null : fieldProblemsMessage(problems);
}
