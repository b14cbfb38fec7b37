/** Label selectors as objects (`matchLabels`, `matchExpressions`): matching, text form and validation. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { type FieldError, forbidden, invalid, invalidEach, required } from './field-error.ts';
import {
  fieldsAt,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from '../../../../src/kube/fields.ts';
import { validateLabels } from './metadata.ts';
import { labelText, qualifiedName } from './metadata-names.ts';
import { formatRequirements, matchesRequirements, type Requirement } from './selector.ts';

const OPERATORS: Readonly<Record<string, Requirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Whether an object has the labels that a selector requires. An absent selector matches nothing; an empty one matches
 * everything.
 */
export function matchesSelector(
  selector: JsonObject | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  return selector !== undefined && matchesRequirements(requirementsOf(selector), labels);
}

/** Text of the selector at a path, such as "app=web,tier in (a,b)", or "<none>". */
export function formatSelector(object: JsonObject, ...path: readonly string[]): string {
  const selector = objectAt(object, ...path);
  return selector === undefined
    ? '<none>'
    : formatRequirements(requirementsOf(selector)) || '<none>';
}

export function requirementsOf(selector: JsonObject): readonly Requirement[] {
  return [
    ...Object.entries(textMapAt(selector, 'matchLabels')).map(([key, value]): Requirement => ({
      key,
      operator: '=',
      values: [value],
    })),
    ...objectsAt(selector, 'matchExpressions').map((expression): Requirement => ({
      key: textAt(expression, 'key'),
      operator: OPERATORS[textAt(expression, 'operator')] ?? 'in',
      values: textsAt(expression, 'values'),
    })),
  ];
}

export function validateSelector(selector: JsonObject, field: string): readonly FieldError[] {
  return [
    ...validateLabels(fieldsAt(selector, 'matchLabels'), `${field}.matchLabels`),
    ...objectsAt(selector, 'matchExpressions').flatMap((expression, index) =>
      expressionFaults(expression, `${field}.matchExpressions[${index}]`),
    ),
  ];
}

function expressionFaults(expression: JsonObject, field: string): readonly FieldError[] {
  const key = textAt(expression, 'key');
  const values = textsAt(expression, 'values');
  return [
    ...valueFaults(textAt(expression, 'operator'), values, field),
    ...invalidEach(`${field}.key`, key, qualifiedName(key)),
    ...values.flatMap((value, index) =>
      invalidEach(`${field}.values[${index}]`, value, labelText(value)),
    ),
  ];
}

function valueFaults(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [
            forbidden(
              `${field}.values`,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}
