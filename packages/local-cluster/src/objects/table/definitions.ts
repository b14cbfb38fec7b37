/** The definitions of all built-in types, generated from a server's OpenAPI (scripts/generate-types.ts). */
import generated from './builtin-types.json' with { type: 'json' };

/** One definition, such as "core.v1.PodSpec". */
export interface DefinitionRow {
  /** "apps/v1/Deployment", "v1/Pod"; only for types of whole objects. */
  readonly kind?: string;
  /** Whether it has one owner as a whole. */
  readonly atomic?: boolean;
  readonly required?: readonly string[];
  /** The types of the fields, in the syntax of field-words.ts. */
  readonly fields: Readonly<Record<string, string>>;
}

const GENERATED: Readonly<Record<string, DefinitionRow>> = generated;

/** Undefined: no such definition. */
export function definitionRow(name: string): DefinitionRow | undefined {
  return Object.hasOwn(GENERATED, name) ? GENERATED[name] : undefined;
}

export function definitionNames(): readonly string[] {
  return Object.keys(GENERATED);
}
