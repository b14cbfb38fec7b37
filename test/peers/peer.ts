/**
 * Programs of other projects that tests compare with ours. No package manager installs them everywhere, so the suite
 * `peers` is run by hand and is not part of the gate. It names a missing program, and skips the program's tests.
 */
import { existsSync } from 'node:fs';

import { pathOf } from '../needs.ts';

export interface Peer {
  readonly path: string;
  readonly isHere: boolean;
}

/** For skaffold `$LIFEHOOK_TEST_SKAFFOLD` if set; else the program on the PATH. */
export function peer(name: string): Peer {
  const variable = `LIFEHOOK_TEST_${name.toUpperCase().replaceAll('-', '_')}`;
  const path = process.env[variable] ?? pathOf(name) ?? '';
  const isHere = existsSync(path);
  if (!isHere) process.stderr.write(`SKIPPED for want of ${name}: name it by $${variable}\n`);
  return { path, isHere };
}
