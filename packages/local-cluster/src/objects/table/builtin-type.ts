/**
 * The types of the built-in kinds. Each is created when it is first used, so that they cost nothing at the start of the
 * program.
 *
 * Recursive types need no special case.
 */
import type { StructNode } from '../type-node.ts';
import { BUILTIN_ROWS, type DefinitionRow } from './builtin-rows.ts';
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

/** Returns undefined if there is no such definition. */
export function definitionRow(name: string): DefinitionRow | undefined {
  return Object.hasOwn(BUILTIN_ROWS, name) ? BUILTIN_ROWS[name] : undefined;
}

export function definitionNames(): readonly string[] {
  return Object.keys(BUILTIN_ROWS);
}
