import type { AdmissionRequest, Cause, Verdict } from './admission-review.ts';
import { type FieldProblem, fieldProblemsMessage } from '../definitions/field-problem.ts';
import type { Findings } from '../definitions/schema-problems.ts';

/** The verdict for the findings about an object, in the format of an API server for an invalid object. */
export function findingsVerdict(
  request: AdmissionRequest,
  { errors, warnings }: Findings,
): Verdict {
  if (errors.length === 0) return { allowed: true, warnings };
  const { group, kind } = request.kind;
  const name = nameOf(request);
  return {
    allowed: false,
    warnings,
    status: {
      code: 422,
      reason: 'Invalid',
      message: `${kind}.${group} ${JSON.stringify(name)} is invalid: ${fieldProblemsMessage(errors)}`,
      details: { name, group, kind, causes: errors.map(causeOf) },
    },
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

/** The name of the object; only its prefix if the server has not generated the name yet. */
function nameOf({ name, object }: AdmissionRequest): string {
  if (name !== undefined && name !== '') return name;
  const metadata = object?.['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return '';
  const { name: own, generateName } = metadata;
  return [own, generateName].find((text): text is string => typeof text === 'string') ?? '';
}
