/** Checks the rules of `schema/` again, since the webhook may not have run: a message, or null if all hold. */
import {
  type FieldProblem,
  fieldProblemsMessage,
} from '../../../controller/definitions/field-problem.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { checkSnapshotSpec } from '../schema/check-snapshot.ts';
import { validateHookInfos } from '../schema/validate.ts';

/** The server's schema has checked the shape. */
export function whyWrongSpec({ spec }: ApplicationSnapshot): string | null {
  return messageOf(checkSnapshotSpec(spec, resolveRecipe));
}

/** Checks the infos in the annotation `field`, which were not checked before. */
export function whyWrongInfos(field: string, infos: unknown): string | null {
  return messageOf(validateHookInfos(infos, { field, resolveRecipe }).errors);
}

function messageOf(problems: readonly FieldProblem[]): string | null {
  return problems.length === 0 ? null : fieldProblemsMessage(problems);
}
