/** Writes docs/schema/lifehook.json for editors: `npx tsx scripts/generate-lifehook-schema.ts`. */
import { mkdir, writeFile } from 'node:fs/promises';

import { lifehookSchemaText } from './lifehook-schema-text.ts';

await mkdir('docs/schema', { recursive: true });
await writeFile('docs/schema/lifehook.json', lifehookSchemaText());
