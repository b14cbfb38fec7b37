/** Reads the accepted survivors of a module from `survivors/NAME.json`. A module without that file has none. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { AllowedSurvivor } from './judge.ts';

export function survivorList(moduleName: string): AllowedSurvivor[] {
  const path = join(import.meta.dirname, 'survivors', `${moduleName}.json`);
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, 'utf8')) as AllowedSurvivor[];
}
