/**
 * The answer to one AdmissionReview: the rules of `schema/` at the door. Pure; an object that is none of
 * ours is allowed, since a webhook that is configured too widely shall not be in anybody's way.
 */
import {
  type FieldProblem,
  fieldProblemsMessage,
} from '../../../controller/definitions/field-problem.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import {
  type Findings,
  validateHook,
  type ValidateInput,
  validateSnapshot,
  validateTemplate,
} from '../schema/validate.ts';

/** The part of an AdmissionReview that is read, of `admission.k8s.io/v1` or `v1beta1`. */
export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: AdmissionRequest;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly kind: string };
  /** '' or absent: of the object itself. */
  readonly subResource?: string;
  readonly name?: string;
  readonly operation: string;
  readonly object: JsonObject | null;
  readonly oldObject?: JsonObject | null;
}

export interface AdmissionAnswer {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: AdmissionStatus;
  readonly warnings?: readonly string[];
}

/** As an API server answers for an object that is invalid. */
export interface AdmissionStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: {
    readonly name: string;
    readonly group: string;
    readonly kind: string;
    readonly causes: readonly Cause[];
  };
}

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export function review(
  { apiVersion, request }: AdmissionReview,
  resolveRecipe: ResolveRecipe,
): AdmissionAnswer {
  const { errors, warnings } = findings(request, resolveRecipe);
  const response: AdmissionResponse = {
    uid: request.uid,
    allowed: errors.length === 0,
    ...(errors.length === 0 ? {} : { status: statusOf(request, errors) }),
    ...(warnings.length === 0 ? {} : { warnings: bounded(warnings) }),
  };
  return { apiVersion, kind: 'AdmissionReview', response };
}

const GROUP = 'lifehook.dev';
const VALIDATORS: Readonly<Record<string, (input: ValidateInput) => Findings>> = {
  ExecutionHook: validateHook,
  ExecutionHookTemplate: validateTemplate,
  ApplicationSnapshot: validateSnapshot,
};

const NOTHING: Findings = { errors: [], warnings: [] };

/** What a server cuts or drops: more than 256 characters of one, 4096 of all (its limits). */
const WARNING_CHARACTERS_MAX = 256;
const WARNINGS_MAX = 16;

function findings(request: AdmissionRequest, resolveRecipe: ResolveRecipe): Findings {
  const { kind, operation, object, oldObject, subResource = '' } = request;
  const validate = kind.group === GROUP ? VALIDATORS[kind.kind] : undefined;
  if (validate === undefined || object === null || subResource !== '') return NOTHING;
  if (operation === 'CREATE') return validate({ object, resolveRecipe });
  if (operation !== 'UPDATE' || oldObject === null || oldObject === undefined) return NOTHING;
  return validate({ object, before: oldObject, resolveRecipe });
}

function statusOf(request: AdmissionRequest, errors: readonly FieldProblem[]): AdmissionStatus {
  const { group, kind } = request.kind;
  const name = nameOf(request);
  return {
    code: 422,
    reason: 'Invalid',
    message: `${kind}.${group} ${JSON.stringify(name)} is invalid: ${fieldProblemsMessage(errors)}`,
    details: { name, group, kind, causes: errors.map(causeOf) },
  };
}

function causeOf(problem: FieldProblem): Cause {
  const message = fieldProblemsMessage([problem]).slice(problem.field.length + 2);
  return { reason: REASONS[problem.type], message, field: problem.field };
}

const REASONS: Readonly<Record<FieldProblem['type'], string>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  Duplicate: 'FieldValueDuplicate',
};

/** A generated name is not known yet: then what it is generated from. */
function nameOf({ name, object }: AdmissionRequest): string {
  if (name !== undefined && name !== '') return name;
  const metadata = object?.['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return '';
  const { name: own, generateName } = metadata;
  return [own, generateName].find((text): text is string => typeof text === 'string') ?? '';
}

function bounded(warnings: readonly string[]): string[] {
  return warnings
    .slice(0, WARNINGS_MAX)
    .map((text) =>
      text.length > WARNING_CHARACTERS_MAX ? `${text.slice(0, WARNING_CHARACTERS_MAX - 1)}…` : text,
    );
}
