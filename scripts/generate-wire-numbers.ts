/**
 * Writes the table of protobuf field numbers from the Go types of Debian's Kubernetes source package:
 *   apt-get source --download-only kubernetes && tar xzf kubernetes_*.orig.tar.gz
 *   npx tsx scripts/generate-wire-numbers.ts kubernetes-1.20.2/staging/src/k8s.io
 * What newer versions added is written by hand, in src/cluster/api/protobuf/newer-wire-numbers.json.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import { definitionNames } from '../src/cluster/objects/table/definitions.ts';
import { structRows } from './wire-numbers.ts';

const OUTPUT = 'src/cluster/api/protobuf/wire-numbers.json';

const [root] = process.argv.slice(2);
if (root === undefined) {
  console.error('Usage: tsx scripts/generate-wire-numbers.ts KUBERNETES/staging/src/k8s.io');
  process.exit(2);
}

/** "core.v1" */
const groups = new Set(definitionNames().map((name) => name.split('.').slice(0, 2).join('.')));
const table: Record<string, string> = {};
for (const group of [...groups].toSorted()) {
  const [name, version] = group.split('.');
  const folder =
    name === 'meta' ? `apimachinery/pkg/apis/meta/${version}` : `api/${name}/${version}`;
  const path = `${root}/${folder}/types.go`;
  if (!existsSync(path)) continue;
  for (const [type, row] of structRows(await readFile(path, 'utf8'))) {
    table[`${group}.${type}`] = row;
  }
}
await writeFile(OUTPUT, `${JSON.stringify(table, null, 2)}\n`);
