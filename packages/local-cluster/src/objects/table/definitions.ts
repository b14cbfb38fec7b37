/** The definitions of all built-in types, generated from a server's OpenAPI (scripts/generate-types.ts). */
import generated from './builtin-types.json' with { type: 'json' };

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

const GENERATED: Readonly<Record<string, DefinitionRow>> = generated;

/** Undefined: no such definition. */
export function definitionRow(name: string): DefinitionRow | undefined {
  return Object.hasOwn(GENERATED, name) ? GENERATED[name] : undefined;
}

export function definitionNames(): readonly string[] {
  return Object.keys(GENERATED);
}
