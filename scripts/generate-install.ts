/**
 * Writes the generated files in deploy/: `npx tsx scripts/generate-install.ts`, after every change of `lifehook
 * install`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { installFiles } from './install-files.ts';

for (const { path, text } of installFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
