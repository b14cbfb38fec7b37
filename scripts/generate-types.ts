/**
 * Writes the table of built-in types from the OpenAPI document of Debian's Kubernetes source package:
 *   apt-get source --download-only kubernetes && tar xzf kubernetes_*.orig.tar.gz
 *   npx tsx scripts/generate-types.ts kubernetes-1.20.2/api/openapi-spec/swagger.json
 * What newer versions added is written by hand, in src/cluster/objects/table/newer-types.json.
 */
import { readFile, writeFile } from 'node:fs/promises';

import { generatedFiles } from './generated-types.ts';

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Usage: tsx scripts/generate-types.ts SWAGGER.JSON');
  process.exit(2);
}
for (const { path, text } of generatedFiles(JSON.parse(await readFile(source, 'utf8')))) {
  await writeFile(path, text);
}
