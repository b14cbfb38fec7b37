/**
 * Foreign programs that tests compare with ours. No package manager installs them everywhere, so the suite `peers` is
 * run by hand and is not part of the gate: it names a missing program, and skips its tests.
 */
import { existsSync } from 'node:fs';

import { pathOf } from '../needs.ts';

export interface Peer {
  readonly path: string;
  readonly isHere: boolean;
}

/** `$LIFEHOOK_TEST_SKAFFOLD` for skaffold, else the one on the PATH. */
export function peer(name: string): Peer {
  const variable = `LIFEHOOK_TEST_${name.toUpperCase().replaceAll('-', '_')}`;
  const path = process.env[variable] ?? pathOf(name) ?? '';
  const isHere = existsSync(path);
  if (!isHere) process.stderr.write(`SKIPPED for want of ${name}: name it by $${variable}\n`);
  return { path, isHere };
}
