/**
 * The verdict on one AdmissionReview: the rules of `schema/` at the door. Pure; an object that is none of
 * ours is allowed, since a webhook that is configured too widely shall not be in anybody's way.
 */
import type { AdmissionRequest, Verdict } from '../../../controller/admission/admission-review.ts';
import { findingsVerdict } from '../../../controller/admission/findings-verdict.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import {
  type Findings,
  validateHook,
  type ValidateInput,
  validateSnapshot,
  validateTemplate,
} from '../schema/validate.ts';

export function review(request: AdmissionRequest, resolveRecipe: ResolveRecipe): Verdict {
  return findingsVerdict(request, findings(request, resolveRecipe));
}

const GROUP = 'lifehook.dev';
const VALIDATORS: Readonly<Record<string, (input: ValidateInput) => Findings>> = {
  ExecutionHook: validateHook,
  ExecutionHookTemplate: validateTemplate,
  ApplicationSnapshot: validateSnapshot,
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
