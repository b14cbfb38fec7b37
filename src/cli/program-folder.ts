import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

/** Where this program lies, with all that was built beside it. */
export function programFolder(): string {
  return dirname(realpathSync(process.argv[1] ?? '.'));
}
