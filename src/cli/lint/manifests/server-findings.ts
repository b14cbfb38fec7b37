/** The findings of the webhook's rules as problems of a manifest. Pure. */
import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import type { Problem } from '../../../model/problem.ts';
import { findingOf, type LintObject, pathOfField } from './lint-object.ts';

export function problemsOf(object: LintObject, { errors, warnings }: Findings): readonly Problem[] {
  return [
    ...errors.map((problem) =>
      findingOf(object, {
        code: 'LHG064',
        severity: 'error',
        path: pathOfField(object.value, problem.field),
        message: `The API server would refuse this object: ${fieldProblemMessage(problem).replace(/\.$/u, '')}.`,
        next: 'Correct this field; docs/reference has all of them.',
      }),
    ),
    // Warnings about unknown fields are left out, because the check of the type reports them with their places.
    ...warnings
      .filter((warning) => !warning.startsWith('unknown field'))
      .map((warning) =>
        findingOf(object, {
          code: 'LHG065',
          severity: 'warning',
          path: pathOfField(object.value, FIELD.exec(warning)?.[0] ?? ''),
          message: `${warning}.`,
          next: 'Correct it unless it is intended.',
        }),
      ),
  ];
}

/** The field at the start of a warning. */
const FIELD = /^[\w.[\]]+(?=:)/u;
