/**
 * The types of all kinds of the newest known Kubernetes, even of those that the local cluster does not serve.
 *
 * The table also says in which versions each kind and field exists (scripts/generate-versions.ts). Only `lint` uses
 * this file, so it is loaded separately.
 */
import type { StructNode } from '../type-node.ts';
import type { DefinitionRow } from './builtin-rows.ts';
import { definitionNames, definitionRow } from './builtin-type.ts';
import others from './other-types.json' with { type: 'json' };
import { typeTable } from './type-table.ts';
import history from './version-history.json' with { type: 'json' };

/** Range of minor versions: 37 for 1.37. */
export interface VersionRange {
  readonly from: number;
  readonly until: number;
}

const OTHERS: Readonly<Record<string, DefinitionRow>> = others;
const KINDS: Readonly<Record<string, VersionRange>> = history.kinds;
const FIELDS: Readonly<Record<string, number>> = history.fields;

export const KNOWN_VERSIONS: VersionRange = history.versions;

const named = typeTable((name) => definitionRow(name) ?? ownRow(OTHERS, name));

/** Short names of definitions by kind, such as "apps.v1.Deployment" for "apps/v1/Deployment". */
const definitions: ReadonlyMap<string, string> = new Map(
  [...definitionNames(), ...Object.keys(OTHERS)].flatMap((name) => {
    const kind = (definitionRow(name) ?? OTHERS[name])?.kind;
    return kind === undefined ? [] : [[kind, name]];
  }),
);

/** Returns undefined if the newest version does not have the kind. */
export function everyType(apiVersion: string, kind: string): StructNode | undefined {
  const name = definitions.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : named(name);
}

/** Returns undefined if no known version has the kind. */
export function versionsOf(apiVersion: string, kind: string): VersionRange | undefined {
  return ownRow(KINDS, `${apiVersion}/${kind}`);
}

/** All kinds of all known versions, such as "apps/v1/Deployment". */
export function everyKind(): readonly string[] {
  return Object.keys(KINDS);
}

/** First version that has the field of a type; undefined if all known versions have it, or none. */
export function fieldSince(typeName: string, field: string): number | undefined {
  return ownRow(FIELDS, `${typeName}.${field}`);
}

function ownRow<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
