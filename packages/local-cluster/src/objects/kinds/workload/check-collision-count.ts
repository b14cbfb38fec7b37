/** How often a hash of pods had to be made anew: a number that a status keeps, or raises. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FieldError } from '../../field-error.ts';
import { invalid } from '../../field-errors.ts';
import { numberAt } from '../../../../../../src/kube/fields.ts';

export function checkCollisionCount(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [count, before] = [object, old].map((each) => numberAt(each, 'status', 'collisionCount'));
  if (before === undefined || (count !== undefined && count >= before)) return [];
  return [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')];
}
