/** Converts the problems that a schema finds to field problems; an unknown field is a warning. */
import type * as z from 'zod';

import { nearestWord } from '../../model/nearest-word.ts';
import { fieldOf, type FieldProblem, invalid, notSupported, required } from './field-problem.ts';
import { type StructuralSchema, structuralSchema } from './structural-schema.ts';

export interface Findings {
  readonly errors: readonly FieldProblem[];
  readonly warnings: readonly string[];
}

export interface Checked {
  /** The path of the value: "spec". */
  readonly field: string;
  readonly value: unknown;
}

/** Additional rules, which a schema cannot express. */
interface Judges<T> {
  readonly check: (value: T) => readonly FieldProblem[];
  readonly warn: (value: T) => readonly string[];
}

/**
 * Checks a value by its schema. If the value is valid, it has the type `T`, and the additional rules are checked too.
 * Unknown fields are ignored.
 */
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

/** Maximum number of reported errors, and of objects with unknown fields. The first errors often cause the rest. */
const PROBLEMS_MAX = 20;

export function schemaProblems(schema: z.ZodType, { field, value }: Checked): Findings {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { errors: [], warnings: [] };
  const { issues } = parsed.error;
  const known = structureOf(schema);
  const errors = issues.filter(({ code }) => code !== 'unrecognized_keys').slice(0, PROBLEMS_MAX);
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
  return {
    errors: errors.map((issue) => problemOf(issue, { field, value }, known)),
    warnings: unknown.slice(0, PROBLEMS_MAX).flatMap((issue) => unknownFields(issue, field, known)),
  };
}

const structures = new WeakMap<z.ZodType, StructuralSchema>();

/** Cached for each schema, since the conversion costs far more than a check. */
function structureOf(schema: z.ZodType): StructuralSchema {
  const known = structures.get(schema) ?? structuralSchema(schema);
  structures.set(schema, known);
  return known;
}

type Issue = z.core.$ZodIssue;

function problemOf(issue: Issue, { field, value }: Checked, known: StructuralSchema): FieldProblem {
  const at = placeOf(field, issue.path);
  const received = issue.path.reduce<unknown>(partOf, value);
  const part = partAt(known, issue.path);
  if (received === undefined) return required(at, part?.description ?? 'a value is required');
  const typed = typographyProblem(at, received, part);
  if (typed !== null) return typed;
  if (issue.code === 'invalid_value') return notSupported(at, received, issue.values.map(String));
  return invalid(at, issue.code === 'too_big' ? sizeOf(received) : received, wanted(issue));
}

/** The length of a list or a text, for a message in place of the content, which may be a secret. */
function sizeOf(received: unknown): unknown {
  if (Array.isArray(received)) return received.length;
  return typeof received === 'string' ? `${received.length} characters` : received;
}

/** Detects the invalid list syntax of the proposal's samples (SNAP-G4). */
function typographyProblem(
  field: string,
  received: unknown,
  part: StructuralSchema | undefined,
): FieldProblem | null {
  if (part?.type !== 'array' || typeof received !== 'object' || received === null) return null;
  const [dashed] = Object.keys(received).filter((key) => /^-\S/.test(key));
  if (dashed === undefined) return null;
  const name = dashed.slice(1);
  const detail = `this is not a list: begin each item with a dash and a space, as in "- ${name}: …"`;
  return invalid(field, dashed, detail);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  boolean: 'true or false, without quotes',
  int: 'a whole number, without quotes',
  number: 'a whole number, without quotes',
};

/** Our own sentence takes precedence over zod's message. */
function wanted(issue: Issue): string {
  if (issue.message.startsWith('must ')) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small') return sized(issue.origin, `at least ${issue.minimum}`);
  if (issue.code === 'too_big') return sized(issue.origin, `at most ${issue.maximum}`);
  return issue.message;
}

function sized(origin: string, limit: string): string {
  const units: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };
  return `must have ${limit}${units[origin] ?? ''}`;
}

function unknownFields(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  field: string,
  known: StructuralSchema,
): string[] {
  const names = Object.keys(partAt(known, issue.path)?.properties ?? {});
  return issue.keys.map((key) => {
    const meant = nearestWord(key, names);
    const next = meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`;
    return `unknown field ${JSON.stringify(fieldOf(placeOf(field, issue.path), key))}${next}`;
  });
}

/** Example: `spec.executionHookInfos[0].recipe`. */
function placeOf(field: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (at, part) => (typeof part === 'number' ? `${at}[${part}]` : fieldOf(at, String(part))),
    field,
  );
}

function partOf(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key];
}

function partAt(
  schema: StructuralSchema,
  path: readonly PropertyKey[],
): StructuralSchema | undefined {
  return path.reduce<StructuralSchema | undefined>((part, key) => {
    if (typeof key === 'number') return part?.items;
    return part?.properties?.[String(key)] ?? part?.additionalProperties;
  }, schema);
}
