/** The wire format of a set of fields: `{"f:spec": {"f:ports": {".": {}, "k:{…}": {…}}}}`, in order. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, isTooDeep } from '../patch/json-value.ts';
import { childOf, draftFieldSet, type FieldSet, type FieldSetDraft, isEmpty } from './field-set.ts';
import { parseElement, sortElements } from './path-element.ts';

/** In an object of the format: the field that leads here is in the set itself. */
const SELF = '.';

/** Undefined: not of this format. Elements of an unknown kind are left out. */
export function parseFieldsV1(fields: Json): FieldSet | undefined {
  return isTooDeep(fields) ? undefined : parseNode(fields)?.set;
}

interface ParsedNode {
  readonly set: FieldSetDraft;
  readonly isMember: boolean;
}

function parseNode(node: Json): ParsedNode | undefined {
  if (node !== null && !isJsonObject(node)) return undefined;
  const set = draftFieldSet();
  const parts = Object.entries(node ?? {});
  const isParsed = parts.every(([key, below]) => key === SELF || addPart(set, key, below));
  if (!isParsed) return undefined;
  return { set, isMember: isEmpty(set) || parts.some(([key]) => key === SELF) };
}

function addPart(set: FieldSetDraft, key: string, below: Json): boolean {
  const parsed = parseElement(key);
  if (typeof parsed === 'string') return parsed === 'unknown';
  const child = parseNode(below);
  if (child === undefined) return false;
  if (child.isMember) set.members.add(parsed.element);
  if (!isEmpty(child.set)) set.children.set(parsed.element, child.set);
  return true;
}

export function fieldsV1(set: FieldSet): JsonObject {
  const elements = sortElements(new Set([...set.members, ...set.children.keys()]));
  const fields = elements.map((element): [string, Json] => {
    const below = fieldsV1(childOf(set, element));
    const isBoth = set.members.has(element) && set.children.has(element);
    return [element, isBoth ? { [SELF]: {}, ...below } : below];
  });
  return Object.fromEntries(fields);
}
