/** Every quantity of an object in the form in which the server stores it; changes the object given. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { canonicalQuantity } from '../quantity.ts';
import type { TypeNode } from '../type-node.ts';
import { isObject } from '../../../../../src/kube/fields.ts';

export function canonicalQuantities(draft: JsonObject, type: TypeNode): void {
  for (const [name, value] of Object.entries(draft)) {
    const node = fieldType(type, name);
    if (node !== undefined) draft[name] = canonical(value, node);
  }
}

function fieldType(type: TypeNode, name: string): TypeNode | undefined {
  if (type.kind === 'struct') return type.field(name);
  return type.kind === 'map' ? type.values : undefined;
}

function canonical(value: Json, node: TypeNode): Json {
  if (node.kind === 'scalar') return node.scalar === 'quantity' ? scalar(value) : value;
  if (node.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => canonical(item, node.items));
  }
  if (isObject(value)) canonicalQuantities(value, node);
  return value;
}

function scalar(value: Json): Json {
  return typeof value === 'string' || typeof value === 'number'
    ? canonicalQuantity(String(value))
    : value;
}
