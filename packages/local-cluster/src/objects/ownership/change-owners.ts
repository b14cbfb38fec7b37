/** The owners of an object after a change: fields that one manager changed are no longer owned by the others. */
import type { Comparison } from './compare-objects.ts';
import {
  difference,
  type FieldSet,
  fieldSetOf,
  intersection,
  isEmpty,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts';
import type { Manager, Managers } from './managers.ts';
import { fieldElement, type Path } from './path-element.ts';

/** Paths of fields, including all fields below: [["status"], ["metadata", "generation"]]. */
export type IgnoredPaths = readonly (readonly string[])[];

/** Fields that belong to the server or identify the object: no manager owns them. */
const STRIPPED: FieldSet = namedFields([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
]);

function namedFields(paths: IgnoredPaths): FieldSet {
  return fieldSetOf(paths.map((path) => path.map(fieldElement)));
}

export function withoutIgnored(set: FieldSet, ignored: IgnoredPaths): FieldSet {
  return recursiveDifference(set, namedFields(ignored));
}

export function withoutStripped(set: FieldSet): FieldSet {
  return difference(set, STRIPPED);
}

export function ignoreIn(comparison: Comparison, ignored: IgnoredPaths): Comparison {
  if (ignored.length === 0) return comparison;
  const { added, modified, removed } = comparison;
  return {
    added: withoutIgnored(added, ignored),
    modified: withoutIgnored(modified, ignored),
    removed: withoutIgnored(removed, ignored),
  };
}

/** A field of another manager that would get another value. */
export interface FieldConflict {
  readonly owner: Manager;
  readonly path: Path;
}

export interface Change {
  readonly managers: Managers;
  /** Identity of the manager that made the change; it keeps its fields. */
  readonly by: string | null;
  readonly comparison: Comparison;
}

export function conflictsOf({ managers, by, comparison }: Change): FieldConflict[] {
  const changed = union(comparison.modified, comparison.added);
  return [...managers]
    .filter(([identity]) => identity !== by)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, owner]) =>
      pathsOf(intersection(owner.fields, changed)).map((path) => ({ owner, path })),
    );
}

/** Managers without fields are removed. */
export function takeFromOthers({ managers, by, comparison }: Change): Map<string, Manager> {
  const left = new Map<string, Manager>();
  if (managers.size === 0) return left;
  const taken = union(union(comparison.modified, comparison.added), comparison.removed);
  for (const [identity, manager] of managers) {
    const fields = identity === by ? manager.fields : difference(manager.fields, taken);
    if (!isEmpty(fields)) left.set(identity, { ...manager, fields });
  }
  return left;
}
