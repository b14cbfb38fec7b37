/**
 * The entry of the single executable: runs the command line, or, if its first argument is `lifehook-part:NAME`, one of
 * the processes that the command line starts.
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
