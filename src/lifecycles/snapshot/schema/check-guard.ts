/** The rules for a SnapshotGuard that its schema cannot express. */
import {
  type FieldProblem,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { SnapshotGuardSpec } from '../kinds.ts';
import type { ResolveRecipe } from './check-recipe.ts';
import { checkHookInfos } from './check-snapshot.ts';
import { checkLabelSelector } from './check-targets.ts';
import { GUARD_NAME_CHARACTERS_MAX } from './limits.ts';

export const LONG_GUARD_NAME: string = `the name of a guard has at most ${GUARD_NAME_CHARACTERS_MAX} characters: its windows are named after it`;
export const EMPTY_CLAIM_SELECTOR =
  'it is empty: give labels, or leave claimSelector out for all claims of the namespace';

export function checkGuardSpec(
  spec: SnapshotGuardSpec,
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  return [
    ...checkClaims(spec.claimSelector),
    ...checkHookInfos('spec.executionHookInfos', spec.executionHookInfos, resolveRecipe),
  ];
}

export function checkGuardName(name: string): FieldProblem[] {
  if (name.length <= GUARD_NAME_CHARACTERS_MAX) return [];
  return [invalid('metadata.name', name, LONG_GUARD_NAME)];
}

function checkClaims(selector: SnapshotGuardSpec['claimSelector']): FieldProblem[] {
  if (selector === undefined) return [];
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) {
    return [required('spec.claimSelector', EMPTY_CLAIM_SELECTOR)];
  }
  return checkLabelSelector('spec.claimSelector', selector);
}
