/** Fails a run before its first test if the suite executes the built command and there is no build. */
import { existsSync } from 'node:fs';

const PROGRAM = 'dist/lifehook.js';

export function setup(): void {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run "npm run build" first.`);
}
