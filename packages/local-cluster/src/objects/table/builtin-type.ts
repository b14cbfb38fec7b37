/**
 * The types of the built-in kinds. Each is created when it is first used, so that they cost nothing at the start of the
 * program.
 *
 * Recursive types need no special case.
 */
import type { StructNode } from '../type-node.ts';
import generated from './builtin-types.json' with { type: 'json' };
import { type NamedType, typeTable } from './type-table.ts';

/** The type of a whole object; undefined if the table does not have the kind. `group`: '' for the core group. */
export function builtinType(group: string, version: string, kind: string): StructNode | undefined {
  const name = builtinName(group, version, kind);
  return name === undefined ? undefined : namedType(name);
}

/** Short name of a kind's definition, such as "apps.v1.Deployment". */
export function builtinName(group: string, version: string, kind: string): string | undefined {
  return kindNames().get(group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`);
}

/** The type of a definition by its full name ("io.k8s.api.core.v1.PodSpec") or short name ("core.v1.PodSpec"). */
export const namedType: NamedType = typeTable(definitionRow);

let kinds: ReadonlyMap<string, string> | undefined;

/** Short names of definitions by kind, such as "apps.v1.Deployment" for "apps/v1/Deployment". */
function kindNames(): ReadonlyMap<string, string> {
  kinds ??= new Map(
    definitionNames().flatMap((name) => {
      const kind = definitionRow(name)?.kind;
      return kind === undefined ? [] : [[kind, name]];
    }),
  );
  return kinds;
}

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

const GENERATED: Readonly<Record<string, DefinitionRow>> = generated;

/** Returns undefined if there is no such definition. */
export function definitionRow(name: string): DefinitionRow | undefined {
  return Object.hasOwn(GENERATED, name) ? GENERATED[name] : undefined;
}

export function definitionNames(): readonly string[] {
  return Object.keys(GENERATED);
}
