/**
 * The definitions of all built-in types: what was generated from Kubernetes 1.20 (scripts/generate-types.ts),
 * and over it what newer versions changed, which is written by hand in newer-types.json: a row there adds,
 * replaces or (null) removes fields, and null for a whole row removes the definition.
 */
import generated from './builtin-types.json' with { type: 'json' };
import newer from './newer-types.json' with { type: 'json' };

/** One definition: "core.v1.PodSpec". */
export interface DefinitionRow {
  /** "apps/v1/Deployment", "v1/Pod": of what is an object of its own. */
  readonly kind?: string;
  /** One owner for the whole of it. */
  readonly atomic?: boolean;
  readonly required?: readonly string[];
  /** Each in the words of field-words.ts. */
  readonly fields: Readonly<Record<string, string>>;
}

interface NewerRow extends Omit<DefinitionRow, 'fields'> {
  readonly fields: Readonly<Record<string, string | null>>;
}

const GENERATED: Readonly<Record<string, DefinitionRow>> = generated;
const NEWER: Readonly<Record<string, NewerRow | null>> = newer;

/** Undefined: no such definition. */
export function definitionRow(name: string): DefinitionRow | undefined {
  const base = Object.hasOwn(GENERATED, name) ? GENERATED[name] : undefined;
  if (!Object.hasOwn(NEWER, name)) return base;
  const change = NEWER[name] ?? null;
  if (change === null) return undefined;
  const fields = { ...base?.fields, ...change.fields };
  const present = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null,
  );
  return { ...base, ...change, fields: Object.fromEntries(present) };
}

export function definitionNames(): readonly string[] {
  const names = new Set([...Object.keys(GENERATED), ...Object.keys(NEWER)]);
  return [...names].filter((name) => NEWER[name] !== null);
}
