/**
 * Writes the table of built-in types from the OpenAPI documents of a Kubernetes server. The server must have the
 * version of the local cluster (packages/local-cluster/src/api/discovery/served-resources.ts):
 *   KUBECONFIG=... npx tsx scripts/generate-types.ts
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { generatedFiles } from './generated-types.ts';

/** Maximum bytes of one document; the largest have about 2 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

const files = await generatedFiles(async (path) => {
  const { stdout } = await promisify(execFile)('kubectl', ['get', '--raw', path], {
    maxBuffer: MAX_BYTES,
  });
  return JSON.parse(stdout) as unknown;
});
for (const { path, text } of files) await writeFile(path, text);
