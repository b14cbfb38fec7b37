/** What a schema says of a value. Of failed alternatives, the one with the most matches is explained. */
import type { FieldError } from '../field-error.ts';

export interface Verdict {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

export const PASSED: Verdict = { errors: [], matches: 1 };

export function verdict(errors: readonly FieldError[]): Verdict {
  return { errors, matches: errors.length === 0 ? 1 : 0 };
}

export function merged(verdicts: readonly Verdict[]): Verdict {
  return {
    errors: verdicts.flatMap(({ errors }) => errors),
    matches: verdicts.reduce((sum, { matches }) => sum + matches, 0),
  };
}

/** The server has no name for the root. */
export function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path;
}

/** The errors of a value that stands at `path` but was checked by itself; their texts stay as they are. */
export function under(path: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({
    ...error,
    field: error.field === '<nil>' ? path : `${path}.${error.field}`,
  }));
}
