/** A value by its schema, and where that holds by the rules beyond it. */
import type * as z from 'zod';

import type { FieldProblem } from './field-problem.ts';
import { type Checked, type Findings, schemaProblems } from './schema-problems.ts';

/** What no schema says. */
export interface Judges<T> {
  readonly check: (value: T) => readonly FieldProblem[];
  readonly warn: (value: T) => readonly string[];
}

/** The schema decides that the value has the type; a field that it does not know is passed over. */
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
