/** Writes the picture of the imports into ARCHITECTURE.md: `npx tsx scripts/generate-architecture.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';

import { withImportPicture } from './import-directions.ts';

const PAGE = 'ARCHITECTURE.md';
writeFileSync(PAGE, withImportPicture(readFileSync(PAGE, 'utf8')));
