/**
 * Checks an applied configuration by its type, as a real server does before it merges.
 *
 * It finds unknown fields, values of a wrong type, and list items with equal keys. Other validation runs later, on the
 * whole object.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { goSyntax, goText, goType } from '../patch/patch-result.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { ScalarNode, TypeNode } from '../type-node.ts';
import {
  type FieldsNode,
  fieldType,
  itemElement,
  type ItemsNode,
  rootType,
  UNTYPED,
} from './node-shape.ts';
import { elementText, fieldElement, indexElement } from './path-element.ts';

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 50;

/** Problems such as `.spec.replcas: field not declared in schema`; empty if the configuration fits the type. */
export function checkApplied(applied: JsonObject, type: TypeNode): string[] {
  return check(applied, rootType(type)).slice(0, MAX_PROBLEMS);
}

/** Joins the problems in the format of a real server. */
export function joinProblems(problems: readonly string[]): string {
  if (problems.length <= 1) return problems.join('');
  return ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}

function check(value: Json, type: TypeNode): string[] {
  if (value === null) return [];
  switch (type.kind) {
    case 'any':
      return [];
    case 'scalar':
      return checkScalar(value, type);
    case 'list':
      return checkList(value, type);
    case 'struct':
    case 'map':
      return checkFields(value, type);
    default:
      return type satisfies never;
  }
}

function checkScalar(value: Json, { scalar }: ScalarNode): string[] {
  const kind = SCALAR_KINDS[scalar];
  if (kind === 'any') {
    return typeof value === 'object' ? [`: expected any scalar, got &{${goText(value)}}`] : [];
  }
  if (typeof value === kind) return [];
  switch (kind) {
    case 'string':
      return [`: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case 'number':
      return [`: expected numeric (int or float), got ${goType(value)}`];
    case 'boolean':
      return [`: expected boolean, got &{${goText(value)}}`];
    default:
      return kind satisfies never;
  }
}

const SCALAR_KINDS: Readonly<
  Record<ScalarNode['scalar'], 'string' | 'boolean' | 'number' | 'any'>
> = {
  string: 'string',
  boolean: 'boolean',
  int32: 'number',
  int64: 'number',
  number: 'number',
  intOrString: 'any',
  quantity: 'any',
  time: 'any',
  microTime: 'any',
  bytes: 'string',
};

function checkFields(value: Json, type: FieldsNode): string[] {
  if (!isJsonObject(value))
    return type === UNTYPED ? [] : [`: expected map, got &{${goText(value)}}`];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = elementText(fieldElement(name));
    if (type.kind === 'struct' && type.field(name) === undefined && !type.preserveUnknown) {
      return [`${at}: field not declared in schema`];
    }
    return check(part, fieldType(type, name)).map((problem) => at + problem);
  });
}

function checkList(value: Json, list: ItemsNode): string[] {
  if (!Array.isArray(value)) return [`: expected list, got &{${goText(value)}}`];
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const [index, item] of value.entries()) {
    const element = list.listType === 'atomic' ? indexElement(index) : itemElement(list, item);
    // Stops here: without the identity of this item, neither its content nor later items can be checked.
    if (typeof element !== 'string') return [...problems, `: element ${index}: ${element.problem}`];
    const at = elementText(element);
    if (seen.has(element)) problems.push(`: duplicate entries for key ${at}`);
    seen.add(element);
    problems.push(...check(item, list.items).map((problem) => at + problem));
  }
  return problems;
}
