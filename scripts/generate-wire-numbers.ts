/**
 * Writes the table of protobuf field numbers from the Go types of Kubernetes' modules:
 *   go mod download k8s.io/api@v0.37.2 k8s.io/apimachinery@v0.37.2
 *   npx tsx scripts/generate-wire-numbers.ts "$(go env GOMODCACHE)/k8s.io" v0.37.2
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import { definitionNames } from '../packages/local-cluster/src/testing.ts';

const OUTPUT = 'packages/local-cluster/src/api/protobuf/wire-numbers.json';

/** Matches one field of a Go struct: its name (which an embedded type omits), its type and its tags. */
const FIELD = /^\t(?:(\w+)\s+)?(\*?)([\w.[\]*]+)\s+`([^`]*)`/gm;

const [root, moduleVersion] = process.argv.slice(2);
if (root === undefined || moduleVersion === undefined) {
  console.error('Usage: tsx scripts/generate-wire-numbers.ts MODULES/k8s.io VERSION');
  process.exit(2);
}

/** Group and version of each definition, such as "core.v1". */
const groups = new Set(definitionNames().map((name) => name.split('.').slice(0, 2).join('.')));
const table: Record<string, string> = {};
for (const group of [...groups].toSorted()) {
  const [name, version] = group.split('.');
  const folder =
    name === 'meta'
      ? `apimachinery@${moduleVersion}/pkg/apis/meta/${version}`
      : `api@${moduleVersion}/${name}/${version}`;
  const path = `${root}/${folder}/types.go`;
  if (!existsSync(path)) continue;
  for (const [type, row] of structRows(await readFile(path, 'utf8'))) {
    table[`${group}.${type}`] = row;
  }
}
await writeFile(OUTPUT, `${JSON.stringify(table, null, 2)}\n`);

/**
 * The fields of each struct in a types.go, in the syntax of packages/local-cluster/src/api/protobuf/decode-protobuf.ts.
 */
function structRows(source: string): Map<string, string> {
  const rows = new Map<string, string>();
  for (const [, name = '', body = ''] of source.matchAll(
    /^type (\w+) struct \{\n([\s\S]*?)^\}/gm,
  )) {
    const fields = [...body.matchAll(FIELD)].flatMap(([, , pointer, type, tags]) =>
      fieldWord({ pointer: pointer === '*', type: type ?? '', tags: tags ?? '' }),
    );
    if (fields.length > 0) rows.set(name, fields.join(' '));
  }
  return rows;
}

interface GoField {
  readonly pointer: boolean;
  readonly type: string;
  readonly tags: string;
}

function fieldWord({ pointer, type, tags }: GoField): string[] {
  const [name = '', ...options] = /json:"([^"]*)"/.exec(tags)?.[1]?.split(',') ?? [];
  const number = /protobuf:"\w+,(\d+),/.exec(tags)?.[1];
  if (number === undefined) return [];
  if (name === '' || options.includes('inline')) return [`${number}<${type}`];
  return [`${number}${pointer ? '*' : '='}${name}`];
}
