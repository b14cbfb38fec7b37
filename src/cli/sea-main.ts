/**
 * The entry of the single executable. If the first argument is `lifehook-part:NAME`, it runs the part of that name,
 * which the command line starts as a separate process. Otherwise it runs the command line.
 */
import process from 'node:process';

import { loadCompiled, PART_PREFIX, programFolder } from './program-files.ts';

const [, , first = ''] = process.argv;
if (first.startsWith(PART_PREFIX)) {
  process.argv.splice(2, 1);
  loadCompiled(programFolder(), first.slice(PART_PREFIX.length));
} else {
  void import('../main.ts');
}
