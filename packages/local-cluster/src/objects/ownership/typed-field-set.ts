/** Operations on field sets that need the type of the object. */
import type { TypeNode } from '../type-node.ts';
import type { FieldSet } from './field-set.ts';
import { fieldType, isNamedField, rootType, shapeOf } from './node-shape.ts';
import { fieldName, type PathElement } from './path-element.ts';

/** Adds every struct field that leads to a member: the owner of `spec.replicas` also keeps `spec`. */
export function withNamedFields(set: FieldSet, type: TypeNode): FieldSet {
  return addNamedFields(set, rootType(type));
}

function addNamedFields({ members, children }: FieldSet, type: TypeNode | undefined): FieldSet {
  const shape = type === undefined ? 'leaf' : shapeOf(type);
  const named = [...children.keys()].filter((element) => {
    const name = fieldName(element);
    return (
      name !== undefined && shape !== 'leaf' && shape.kind !== 'list' && isNamedField(shape, name)
    );
  });
  return {
    members: new Set([...members, ...named]),
    children: new Map(
      [...children].map(([element, child]) => [
        element,
        addNamedFields(child, typeBelow(type, element)),
      ]),
    ),
  };
}

/** A field that is now owned as a whole, after a change of its type, replaces its fields below. */
export function withWholeFields(set: FieldSet, type: TypeNode): FieldSet {
  return closeWholeFields(set, rootType(type));
}

function closeWholeFields(set: FieldSet, type: TypeNode): FieldSet {
  const members = new Set(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const below = typeBelow(type, element);
    if (below === undefined || below.kind === 'scalar') children.set(element, child);
    else if (shapeOf(below) === 'leaf') members.add(element);
    else children.set(element, closeWholeFields(child, below));
  }
  return { members, children };
}

function typeBelow(type: TypeNode | undefined, element: PathElement): TypeNode | undefined {
  const shape = type === undefined ? 'leaf' : shapeOf(type);
  if (shape === 'leaf') return undefined;
  const name = fieldName(element);
  if (shape.kind === 'list') return name === undefined ? shape.items : undefined;
  return name === undefined ? undefined : fieldType(shape, name);
}
