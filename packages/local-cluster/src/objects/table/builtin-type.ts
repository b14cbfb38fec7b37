/**
 * The types of the built-in kinds as nodes. Each is created on first use and then kept: the start of the program costs
 * nothing, and recursive types need no special case.
 */
import type { StructNode } from '../type-node.ts';
import generated from './builtin-types.json' with { type: 'json' };
import { type NamedType, typeTable } from './type-table.ts';

/** The type of a whole object; group '' is the core group. Undefined: the table has no such kind. */
export function builtinType(group: string, version: string, kind: string): StructNode | undefined {
  const name = builtinName(group, version, kind);
  return name === undefined ? undefined : namedType(name);
}

/** The short name of a kind's definition: "apps.v1.Deployment". */
export function builtinName(group: string, version: string, kind: string): string | undefined {
  return kindNames().get(group === '' ? `${version}/${kind}` : `${group}/${version}/${kind}`);
}

/** Keyed by the definition's name, full ("io.k8s.api.core.v1.PodSpec") or short ("core.v1.PodSpec"). */
export const namedType: NamedType = typeTable(definitionRow);

let kinds: ReadonlyMap<string, string> | undefined;

/** Example: "apps/v1/Deployment" -> "apps.v1.Deployment" */
function kindNames(): ReadonlyMap<string, string> {
  kinds ??= new Map(
    definitionNames().flatMap((name) => {
      const kind = definitionRow(name)?.kind;
      return kind === undefined ? [] : [[kind, name]];
    }),
  );
  return kinds;
}

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
