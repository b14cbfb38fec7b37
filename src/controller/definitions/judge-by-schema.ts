/** Checks a value by its schema, and if that holds, by the additional rules. */
import type * as z from 'zod';

import type { FieldProblem } from './field-problem.ts';
import { type Checked, type Findings, schemaProblems } from './schema-problems.ts';

/** Rules that a schema cannot express. */
export interface Judges<T> {
  readonly check: (value: T) => readonly FieldProblem[];
  readonly warn: (value: T) => readonly string[];
}

/** A value that fits the schema has the type; unknown fields are ignored. */
export function judge<T>(
  schema: z.ZodType<T>,
  checked: Checked,
  { check, warn }: Judges<T>,
): Findings {
  const { errors, warnings } = schemaProblems(schema, checked);
  if (errors.length > 0) return { errors, warnings };
  const value = checked.value as T;
  return { errors: check(value), warnings: [...warnings, ...warn(value)] };
}
