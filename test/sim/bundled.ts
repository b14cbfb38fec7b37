/**
 * Runs a program of this directory as one bundle, with its own arguments: `npm run sim` and `npm run sim:coverage`.
 * With tsx instead, each new function object is given its name, which takes a third of the time of a seed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bundle } from './bundle.ts';

const [program = ''] = process.argv.splice(2, 1);
const folder = await mkdtemp(join(tmpdir(), 'lifehook-sim-'));
const script = join(folder, `${program}.mjs`);
try {
  await bundle(`test/sim/${program}.ts`, { outfile: script });
  await import(pathToFileURL(script).href);
} finally {
  await rm(folder, { recursive: true });
}
