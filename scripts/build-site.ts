/** `npm run site`: builds the documentation as a static site in `dist-site`, after removing the previous one. */
import { rmSync } from 'node:fs';

import { buildSite } from './site/build.ts';

const OUT = 'dist-site';

rmSync(OUT, { recursive: true, force: true });
const pages = await buildSite('.', OUT);
console.log(`${pages} pages: open ${OUT}/index.html`);
