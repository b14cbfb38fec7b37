import { nodeFiles } from './files.ts';
import { nodeNetwork } from './network.ts';
import type { Platform } from './platform.ts';
import { nodeProcesses } from './processes.ts';
import { nodeClock, nodeTimers } from './timers.ts';

/** The platform over Node, which production uses. */
export const nodePlatform: Platform = {
  clock: nodeClock,
  timers: nodeTimers,
  processes: nodeProcesses,
  files: nodeFiles,
  network: nodeNetwork,
};
