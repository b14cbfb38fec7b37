/**
 * Programs of others that tests run next to ours. They cannot be installed by a package manager everywhere, so the suite
 * `peers` is run by hand and is no part of the gate: a program that is not there is named, and its tests are skipped.
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
