/** The rules of `schema/`, asked again where no webhook has asked them: what is wrong, or null. */
import type { ApplicationSnapshot, ExecutionHookInfo } from '../kinds.ts';
import { checkHookInfos, checkSnapshotSpec } from '../schema/check-snapshot.ts';
import { fieldProblemsMessage, type FieldProblem } from '../schema/field-problem.ts';

export function whyWrongSpec({ spec }: ApplicationSnapshot): string | null {
  return messageOf(checkSnapshotSpec(spec, () => undefined));
}

/** Of the infos that stand in the annotation `where`. */
export function whyWrongInfos(where: string, value: unknown): string | null {
  if (!Array.isArray(value)) return `${where} must hold a list of executionHookInfos`;
  return messageOf(checkHookInfos(where, value as ExecutionHookInfo[], () => undefined));
}

function messageOf(problems: readonly FieldProblem[]): string | null {
  return problems.length === 0 ? null : fieldProblemsMessage(problems);
}
