/**
 * Writes deploy/crds/ and the local cluster's copy: `npx tsx scripts/generate-crds.ts`, after every change of a schema.
 */
import { mkdir, writeFile } from 'node:fs/promises';

import { crdFiles } from './crd-files.ts';

await mkdir('deploy/crds', { recursive: true });
for (const { path, text } of crdFiles()) await writeFile(path, text);
