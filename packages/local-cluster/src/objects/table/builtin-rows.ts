/**
 * The table of the built-in kinds. The bundler makes this file a chunk of its own, because two other chunks load it.
 */
import generated from './builtin-types.json' with { type: 'json' };

/** A row of the table: one definition, such as "core.v1.PodSpec". */
export interface DefinitionRow {
  /** Kind such as "apps/v1/Deployment" or "v1/Pod"; only for types of whole objects. */
  readonly kind?: string;
  /** True if the struct has one owner as a whole. */
  readonly atomic?: boolean;
  readonly required?: readonly string[];
  /** The types of the fields, in the syntax of field-words.ts. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Rows by the short name of a definition. */
export const BUILTIN_ROWS: Readonly<Record<string, DefinitionRow>> = generated;
