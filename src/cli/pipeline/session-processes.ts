/** Starts the programs of a session: with the native launcher if it was built, else from this process. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { launchedProcesses, type LaunchedProcesses } from '../../platform/launched-processes.ts';
import { nodeProcesses } from '../../platform/processes.ts';
import { programFolder } from '../program-files.ts';

export function sessionProcesses(): LaunchedProcesses {
  const launcher = join(programFolder(), 'shim', 'lifehook-launch');
  return existsSync(launcher)
    ? launchedProcesses(launcher)
    : { ...nodeProcesses, close: () => undefined };
}
