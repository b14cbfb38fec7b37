import * as os from 'qjs:os';

import type { Network, Platform } from '../src/platform/platform.ts';
import { quickjsFiles } from './quickjs-files.ts';
import { quickjsProcesses } from './quickjs-processes.ts';

const noNetwork: Network = {
  httpGet: async () => {
    throw new Error('the shim has no network: it runs commands only');
  },
  tcpConnect: async () => {
    throw new Error('the shim has no network: it runs commands only');
  },
};

/** The platform of the shim programs, implemented with QuickJS and native.c. */
export const quickjsPlatform: Platform = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => os.now() },
  timers: {
    after: (ms, callback) => {
      const timer = os.setTimeout(callback, Math.max(0, ms));
      return () => {
        os.clearTimeout(timer);
      };
    },
  },
  processes: quickjsProcesses,
  files: quickjsFiles,
  network: noNetwork,
};
