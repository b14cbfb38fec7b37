import { spoolFolder } from '../../lifecycles/container/life/life.ts';
import { DEFAULT_SETTINGS } from '../../lifecycles/container/shim/runtime-settings.ts';
import type { WantedPlace } from '../doctor/gather/local.ts';
import { lifeRoot } from './life-options.ts';

export function writtenPlaces(): readonly WantedPlace[] {
  return [
    { role: 'records of container hooks', path: spoolFolder(lifeRoot({})) },
    { role: 'records of lifehook-runtime', path: DEFAULT_SETTINGS.spool, onlyIfThere: true },
  ];
}
