/** How a deployment gets from one template to the next: filled in, and checked. */
import type { Json, JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid, notSupported, required } from '../../field-errors.ts';
import { amountOrPercent, percentOf } from '../checks.ts';
import {
  type Field,
  fill,
  fillObject,
  objectAt,
  textAt,
} from '../../../../../../src/kube/fields.ts';

const QUARTER = '25%';

export function fillDeploymentStrategy(spec: JsonObject): void {
  const strategy = fillObject(spec, 'strategy');
  fill(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] !== 'RollingUpdate') return;
  const rolling = fillObject(strategy, 'rollingUpdate');
  rolling['maxUnavailable'] ??= QUARTER;
  rolling['maxSurge'] ??= QUARTER;
}

export function checkDeploymentStrategy(spec: JsonObject): readonly FieldError[] {
  const field = 'spec.strategy';
  const rolling = objectAt(spec, 'strategy', 'rollingUpdate');
  const type = textAt(spec, 'strategy', 'type');
  switch (type) {
    case 'Recreate':
      return rolling === undefined
        ? []
        : [
            forbidden(
              `${field}.rollingUpdate`,
              "may not be specified when strategy `type` is 'Recreate'",
            ),
          ];
    case 'RollingUpdate':
      return rolling === undefined
        ? [required(`${field}.rollingUpdate`, 'this should be defaulted and never be nil')]
        : checkRolling(rolling, `${field}.rollingUpdate`);
    default:
      return [notSupported(field, spec['strategy'], ['Recreate', 'RollingUpdate'])];
  }
}

function checkRolling(rolling: JsonObject, field: string): readonly FieldError[] {
  const unavailable = rolling['maxUnavailable'];
  return [
    ...amountOrPercent(`${field}.maxUnavailable`, unavailable),
    ...amountOrPercent(`${field}.maxSurge`, rolling['maxSurge']),
    ...(isNothing(unavailable) && isNothing(rolling['maxSurge'])
      ? [invalid(`${field}.maxUnavailable`, unavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...notAboveAll(`${field}.maxUnavailable`, unavailable),
  ];
}

export function notAboveAll(field: string, value: Field): readonly FieldError[] {
  return (percentOf(value) ?? 0) > 100
    ? [invalid(field, value, 'must not be greater than 100%')]
    : [];
}

function isNothing(value: Json | undefined): boolean {
  return value === 0 || percentOf(value) === 0;
}
