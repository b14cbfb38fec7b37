/**
 * Writes the table of protobuf field numbers from the Go types of Kubernetes' modules:
 *   go mod download k8s.io/api@v0.37.2 k8s.io/apimachinery@v0.37.2
 *   npx tsx scripts/generate-wire-numbers.ts "$(go env GOMODCACHE)/k8s.io" v0.37.2
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import { definitionNames } from '../packages/local-cluster/src/testing.ts';
import { structRows } from './wire-numbers.ts';

const OUTPUT = 'packages/local-cluster/src/api/protobuf/wire-numbers.json';

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
