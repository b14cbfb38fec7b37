/**
 * What an applier has given up: fields that it applied last time, does not apply now, and that nobody else
 * owns. Fields that nobody ever owned stay, also within what it once applied.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { TypeNode } from '../type-node.ts';
import { difference, EMPTY, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Managers } from './managers.ts';
import { fieldsOf } from './object-fields.ts';
import { removeFields } from './remove-fields.ts';
import { withNamedFields } from './typed-field-set.ts';

export interface Pruning {
  readonly merged: JsonObject;
  readonly type: TypeNode;
  /** What the applier owned before. */
  readonly last: FieldSet;
  /** With what the applier owns now. */
  readonly managers: Managers;
}

/** Each round takes from the merged object, so that the last one decides: the two before it tell what. */
export function prune({ merged, type, last, managers }: Pruning): JsonObject {
  if (isEmpty(last)) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, type);
  const all = named(fieldsOf(merged, type));
  const owned = [...managers.values()].reduce((set, { fields }) => union(set, fields), EMPTY);
  const withoutLast = fieldsOf(removeFields(merged, named(last), type), type);
  const givenUp = difference(all, union(named(withoutLast), named(owned)));
  const left = fieldsOf(removeFields(merged, givenUp, type), type);
  return removeFields(merged, intersection(difference(all, named(left)), named(last)), type);
}
