/**
 * Computes the owners of an object after a change: other managers lose the fields that one manager changed.
 */
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
import { fieldElement, type Path, pathText } from './path-element.ts';

/** Paths of fields, such as [["status"], ["metadata", "generation"]]. A path includes all fields below it. */
export type IgnoredPaths = readonly (readonly string[])[];

/** Fields that identify the object or that only the server sets. No manager owns them. */
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

/** A field of another manager whose value the change would replace. */
export interface FieldConflict {
  readonly owner: Manager;
  readonly path: Path;
}

export interface Change {
  readonly managers: Managers;
  /** Identity of the manager that makes the change and keeps its fields; null if it has no entry yet. */
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

/** Removes changed fields from all other managers. A manager that has no field left is removed. */
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

export interface ApplyConflict {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** Time of the owner's last change; '' if its entry has no time. */
  readonly time: string;
  /** Path of the field, such as `.spec.replicas`. */
  readonly field: string;
}

/** One cause in a Status with the reason Conflict. */
interface ConflictCause {
  readonly reason: 'FieldManagerConflict';
  readonly message: string;
  readonly field: string;
}

/** The conflicts as they are reported, in the texts of a real server. */
export function toApplyConflicts(conflicts: readonly FieldConflict[]): ApplyConflict[] {
  return conflicts.map(({ owner, path }) => ({
    manager: owner.name,
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    subresource: owner.subresource,
    time: owner.time ?? '',
    field: pathText(path),
  }));
}

export function conflictMessage(conflicts: readonly ApplyConflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${ownerText(first)}: ${first.field}`;
  }
  const fields = new Map<string, string[]>();
  for (const conflict of conflicts) {
    const owner = ownerText(conflict);
    fields.set(owner, [...(fields.get(owner) ?? []), conflict.field]);
  }
  const lines = [...fields.keys()]
    .toSorted()
    .flatMap((owner) => [
      `conflicts with ${owner}:`,
      ...(fields.get(owner) ?? []).map((field) => `- ${field}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

export function conflictCauses(conflicts: readonly ApplyConflict[]): ConflictCause[] {
  return conflicts.map((conflict) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(conflict)}`,
    field: conflict.field,
  }));
}

/**
 * The owner in messages, such as `"kubectl-edit" with subresource "status" using apps/v1`. For an entry with the
 * operation Apply the version is omitted.
 */
function ownerText({ manager, operation, apiVersion, subresource }: ApplyConflict): string {
  const place = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${place}${version}`;
}
