/** Writes docs/reference: `npx tsx scripts/generate-reference.ts`, after every change of a schema or a command. */
import { mkdir, writeFile } from 'node:fs/promises';

import { referenceFiles } from './reference-files.ts';

await mkdir('docs/reference', { recursive: true });
for (const { path, text } of await referenceFiles()) await writeFile(path, text);
