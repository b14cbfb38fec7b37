/** Tolerations: kept, shown and checked; the one node of the local cluster has no taints. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid, invalidEach } from '../../field-errors.ts';
import { labelText, qualifiedName } from '../../metadata-names.ts';
import { oneOfIfSet } from '../checks.ts';
import { numberAt, textAt } from '../../../../../../src/kube/fields.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function checkTolerations(
  tolerations: readonly JsonObject[],
  field: string,
): readonly FieldError[] {
  return tolerations.flatMap((toleration, index) => checkOne(toleration, `${field}[${index}]`));
}

function checkOne(toleration: JsonObject, field: string): readonly FieldError[] {
  const key = textAt(toleration, 'key');
  const operator = textAt(toleration, 'operator') || 'Equal';
  const effect = textAt(toleration, 'effect');
  const hasTime = numberAt(toleration, 'tolerationSeconds') !== undefined;
  return [
    ...invalidEach(`${field}.key`, key, key === '' ? [] : qualifiedName(key)),
    ...(key === '' && operator !== 'Exists'
      ? [
          invalid(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(hasTime && effect !== 'NoExecute'
      ? [
          invalid(
            `${field}.effect`,
            effect,
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...checkValue(toleration, operator, field),
    ...oneOfIfSet(`${field}.effect`, effect, EFFECTS),
  ];
}

function checkValue(
  toleration: JsonObject,
  operator: string,
  field: string,
): readonly FieldError[] {
  const value = textAt(toleration, 'value');
  switch (operator) {
    case 'Equal':
      return invalidEach(`${field}.operator`, value, labelText(value));
    case 'Exists':
      return value === ''
        ? []
        : [
            invalid(
              `${field}.operator`,
              toleration,
              "value must be empty when `operator` is 'Exists'",
            ),
          ];
    default:
      return oneOfIfSet(`${field}.operator`, operator, ['Equal', 'Exists']);
  }
}
