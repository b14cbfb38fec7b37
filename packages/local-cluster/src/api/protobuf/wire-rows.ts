/**
 * Protobuf field numbers of the built-in types, generated (scripts/generate-wire-numbers.ts). A row is a
 * list of words:
 *   "1=name"          field 1 is `name`; its zero value says nothing and is left out
 *   "4*replicas"      a pointer: what is there means something, also zero
 *   "2<VolumeSource"  the fields of that message of the same group stand in the object itself
 */
import generated from './wire-numbers.json' with { type: 'json' };

export interface WireField {
  readonly name: string;
  readonly use: 'plain' | 'pointer' | 'inline';
}

const GENERATED: Readonly<Record<string, string>> = generated;
const USES = { '=': 'plain', '*': 'pointer', '<': 'inline' } as const;

const known = new Map<string, ReadonlyMap<number, WireField>>();

/** By number; empty for a type that is not in the table. */
export function wireRow(typeName: string): ReadonlyMap<number, WireField> {
  const found = known.get(typeName);
  if (found !== undefined) return found;
  const row = readRow(Object.hasOwn(GENERATED, typeName) ? (GENERATED[typeName] ?? '') : '');
  known.set(typeName, row);
  return row;
}

function readRow(words: string): Map<number, WireField> {
  const row = new Map<number, WireField>();
  for (const [, number, use, name] of words.matchAll(/(\d+)([=*<])(\S+)/g)) {
    if (use !== '=' && use !== '*' && use !== '<') continue;
    row.set(Number(number), { name: name ?? '', use: USES[use] });
  }
  return row;
}
