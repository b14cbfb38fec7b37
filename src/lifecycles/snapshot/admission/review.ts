/**
 * The verdict on one AdmissionReview by the rules of `schema/`. Pure.
 *
 * An object of another kind is allowed, so that a webhook whose rules match too much blocks nothing.
 */
import type { AdmissionRequest, Verdict } from '../../../controller/admission/admission-review.ts';
import { findingsVerdict } from '../../../controller/admission/findings-verdict.ts';
import { GROUP } from '../../../model/api-version.ts';
import { validateRestore } from '../restore/check-spec.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import {
  type Findings,
  validateGuard,
  validateHook,
  type ValidateInput,
  validateSchedule,
  validateSnapshot,
  validateTemplate,
} from '../schema/validate.ts';

export function review(request: AdmissionRequest, resolveRecipe: ResolveRecipe): Verdict {
  return findingsVerdict(request, findings(request, resolveRecipe));
}

const VALIDATORS: Readonly<Record<string, (input: ValidateInput) => Findings>> = {
  ExecutionHook: validateHook,
  ExecutionHookTemplate: validateTemplate,
  ApplicationSnapshot: validateSnapshot,
  SnapshotSchedule: validateSchedule,
  SnapshotRestore: validateRestore,
  SnapshotGuard: validateGuard,
};

const NOTHING: Findings = { errors: [], warnings: [] };

function findings(request: AdmissionRequest, resolveRecipe: ResolveRecipe): Findings {
  const { kind, operation, object, oldObject, subResource = '' } = request;
  const validate = kind.group === GROUP ? VALIDATORS[kind.kind] : undefined;
  if (validate === undefined || object === null || subResource !== '') return NOTHING;
  if (operation === 'CREATE') return validate({ object, resolveRecipe });
  if (operation !== 'UPDATE' || oldObject === null || oldObject === undefined) return NOTHING;
  return validate({ object, before: oldObject, resolveRecipe });
}
