/** The conflicts of an apply, in the text of the real server. */
import type { FieldConflict } from './change-owners.ts';
import { pathText } from './path-element.ts';

export interface ApplyConflict {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** The time of the owner's last change; '' if its entry has none. */
  readonly time: string;
  /** Example: `.spec.replicas` */
  readonly field: string;
}

/** One of the causes in a Status with the reason Conflict. */
export interface ConflictCause {
  readonly reason: 'FieldManagerConflict';
  readonly message: string;
  readonly field: string;
}

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

/** Example: `"kubectl-edit" with subresource "status" using apps/v1`; an applier has only its name. */
function ownerText({ manager, operation, apiVersion, subresource }: ApplyConflict): string {
  const place = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${place}${version}`;
}
