import type { KeeperHost } from '../src/platform/keeper-host.ts';
import { host as shimHost } from './quickjs-host.ts';
import { quickjsKeeping } from './quickjs-keeping.ts';

/** The world of the native keeper. */
export const host: KeeperHost = { ...shimHost, keeping: quickjsKeeping };
