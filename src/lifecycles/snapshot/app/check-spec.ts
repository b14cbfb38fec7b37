/** The rules of `schema/`, asked again where no webhook has asked them: what is wrong, or null. */
import {
  type FieldProblem,
  fieldProblemsMessage,
} from '../../../controller/definitions/field-problem.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { checkSnapshotSpec } from '../schema/check-snapshot.ts';
import { validateHookInfos } from '../schema/validate.ts';

/** Its shape was judged by the server's schema. */
export function whyWrongSpec({ spec }: ApplicationSnapshot): string | null {
  return messageOf(checkSnapshotSpec(spec, resolveRecipe));
}

/** Of what stands in the annotation `field`, which nobody has judged yet. */
export function whyWrongInfos(field: string, infos: unknown): string | null {
  return messageOf(validateHookInfos(infos, { field, resolveRecipe }).errors);
}

function messageOf(problems: readonly FieldProblem[]): string | null {
  return problems.length === 0 ? null : fieldProblemsMessage(problems);
}
