/** Operations on field sets that need the type of the object. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import { draftFieldSet, type FieldSet, type FieldSetDraft, insertPath } from './field-set.ts';
import {
  type FieldsNode,
  fieldType,
  identifyItems,
  isNamedField,
  type ItemsNode,
  rootType,
  shapeOf,
  UNTYPED,
} from './node-shape.ts';
import { fieldElement, fieldName, type Path, type PathElement } from './path-element.ts';

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

/** Adapts a set to a changed type: a field that is now owned as a whole replaces the fields below it. */
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

/** All fields that an object sets, which its author will own. */
export function fieldsOf(object: JsonObject, type: TypeNode): FieldSet {
  const fields = draftFieldSet();
  collect(fields, { path: [], value: object, type: rootType(type) });
  return fields;
}

interface Visit {
  readonly path: Path;
  readonly value: Json;
  readonly type: TypeNode;
}

function collect(fields: FieldSetDraft, { path, value, type }: Visit): void {
  const shape = shapeOf(type);
  if (shape === 'leaf' || (shape === UNTYPED && !isJsonObject(value))) insertPath(fields, path);
  else if (shape.kind === 'list') collectItems(fields, { path, value, type: shape });
  else if (isJsonObject(value)) collectFields(fields, { path, value, type: shape });
}

/**
 * Collects the owned fields of an object. A struct field with content is owned through its content. A key of a map, and
 * a field without content, are owned themselves.
 */
function collectFields(
  fields: FieldSetDraft,
  { path, value, type }: { path: Path; value: JsonObject; type: FieldsNode },
): void {
  for (const [name, part] of Object.entries(value)) {
    const below = [...path, fieldElement(name)];
    collect(fields, { path: below, value: part, type: fieldType(type, name) });
    const isHollow = part === null || (isJsonObject(part) && Object.keys(part).length === 0);
    if (isHollow || !isNamedField(type, name)) insertPath(fields, below);
  }
}

function collectItems(
  fields: FieldSetDraft,
  { path, value, type }: { path: Path; value: Json; type: ItemsNode },
): void {
  const seen = new Map<string, number>();
  const items = identifyItems(type, value);
  for (const { element } of items) seen.set(element, (seen.get(element) ?? 0) + 1);
  for (const { element, item } of items) {
    const below = [...path, element];
    insertPath(fields, below);
    // Items with equal keys cannot be distinguished, so the fields in them have no owner.
    if (seen.get(element) === 1) collect(fields, { path: below, value: item, type: type.items });
  }
}
