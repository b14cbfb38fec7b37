/** Runs before the first test of each suite that executes the built command. */
import { existsSync } from 'node:fs';

const PROGRAM = 'dist/lifehook.js';

export function setup(): void {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run "npm run build" first.`);
}
