import { resolve } from 'node:path';

import type { WantedPlace } from '../doctor/gather/local.ts';

export function writtenPlaces(): readonly WantedPlace[] {
  return [{ role: 'state of the pipeline', path: resolve('.lifehook'), onlyIfThere: true }];
}
