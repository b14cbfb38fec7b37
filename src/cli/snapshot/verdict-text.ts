/** A verdict next to what is required of it, for people and for programs. Pure. */
import type { Verdict } from '../../lifecycles/snapshot/evidence-kinds.ts';
import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import {
  reaches,
  type RequiredLevel,
  requiredLevelOf,
} from '../../lifecycles/snapshot/required-level.ts';
import type { Problem } from '../../model/problem.ts';

/** `reached` is null while the snapshot has no verdict. */
export function createdValue(snapshot: ApplicationSnapshot): object {
  const { verdict } = snapshot.status ?? {};
  const required = requiredLevelOf(snapshot);
  const reached = verdict === undefined ? null : reaches(verdict, required);
  return { required, reached, snapshot };
}

export function belowRequired(
  { metadata = {} }: ApplicationSnapshot,
  of: { readonly verdict: Verdict; readonly required: RequiredLevel },
): Problem {
  const { verdict, required } = of;
  const { value, reason, message } = verdict;
  const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return {
    code: 'LHS410',
    severity: 'error',
    message: `The verdict on ${name} is ${value} (${reason}), and ${required} is required: ${message}.`,
    next: nextFor(value),
  };
}

function nextFor(value: Verdict['value']): string {
  return value === 'CrashConsistent'
    ? 'Accept it with --require CrashConsistent, or let hooks freeze the application.'
    : "Do not restore from it. See docs/snapshots.md for the verdict's reason, and take another.";
}
