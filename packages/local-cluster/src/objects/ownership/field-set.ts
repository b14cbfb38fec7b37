/**
 * A set of field paths, stored as a tree.
 *
 * `members` are in the set; `children` lead to longer paths. A path can be in the set without the paths below it, and
 * the paths below without it. Sets are immutable.
 */
import { type Path, type PathElement, sortElements, parseElement } from './path-element.ts';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, isTooDeep } from '../patch/json-value.ts';

export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  /** Subsets below each element; none of them is empty. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** A set under construction. */
export interface FieldSetDraft extends FieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, FieldSetDraft>;
}

export const EMPTY: FieldSet = { members: new Set(), children: new Map() };

export function draftFieldSet(): FieldSetDraft {
  return { members: new Set(), children: new Map() };
}

/** Adds a path. An empty path is ignored, because the whole object is not a field. */
export function insertPath(draft: FieldSetDraft, path: Path): void {
  let node = draft;
  for (const [at, element] of path.entries()) {
    if (at === path.length - 1) {
      node.members.add(element);
      return;
    }
    const next = node.children.get(element) ?? draftFieldSet();
    node.children.set(element, next);
    node = next;
  }
}

export function fieldSetOf(paths: Iterable<Path>): FieldSet {
  const draft = draftFieldSet();
  for (const path of paths) insertPath(draft, path);
  return draft;
}

export function isEmpty({ members, children }: FieldSet): boolean {
  return members.size === 0 && children.size === 0;
}

export function sameFields(left: FieldSet, right: FieldSet): boolean {
  return isEmpty(difference(left, right)) && isEmpty(difference(right, left));
}

export function hasPath(set: FieldSet, path: Path): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  let node: FieldSet | undefined = set;
  for (const element of path.slice(0, -1)) node = node?.children.get(element);
  return node?.members.has(last) ?? false;
}

/** All paths in order: first the members of a node, then the paths below it. */
export function pathsOf(set: FieldSet, above: Path = []): Path[] {
  return [
    ...sortElements(set.members).map((element) => [...above, element]),
    ...sortElements(set.children.keys()).flatMap((element) =>
      pathsOf(childOf(set, element), [...above, element]),
    ),
  ];
}

export function childOf(set: FieldSet, element: PathElement): FieldSet {
  return set.children.get(element) ?? EMPTY;
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  const children = new Map(left.children);
  for (const [element, child] of right.children) {
    const mine = left.children.get(element);
    children.set(element, mine === undefined ? child : union(mine, child));
  }
  return { members: new Set([...left.members, ...right.members]), children };
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return {
    members: new Set([...left.members].filter((element) => right.members.has(element))),
    children: mapChildren(left, (child, element) => intersection(child, childOf(right, element))),
  };
}

export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return {
    members: new Set([...left.members].filter((element) => !right.members.has(element))),
    children: mapChildren(left, (child, element) => {
      const others = right.children.get(element);
      return others === undefined ? child : difference(child, others);
    }),
  };
}

/** Like `difference`, but a member of `right` also removes all paths below it. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  return {
    members: new Set([...left.members].filter((element) => !right.members.has(element))),
    children: mapChildren(left, (child, element) => {
      if (right.members.has(element)) return EMPTY;
      return recursiveDifference(child, childOf(right, element));
    }),
  };
}

function mapChildren(
  { children }: FieldSet,
  change: (child: FieldSet, element: PathElement) => FieldSet,
): Map<PathElement, FieldSet> {
  const changed = new Map<PathElement, FieldSet>();
  for (const [element, child] of children) {
    const result = change(child, element);
    if (!isEmpty(result)) changed.set(element, result);
  }
  return changed;
}

/** Key that makes the path above it a member too, as in `{"f:spec": {"f:ports": {".": {}, "k:{…}": {…}}}}`. */
const SELF = '.';

/** Reads the wire format FieldsV1; undefined if it is invalid. Elements of an unknown kind are omitted. */
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
