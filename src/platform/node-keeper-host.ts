import type { KeeperHost } from './keeper-host.ts';
import { nodeKeeping } from './node-keeping.ts';
import { host as shimHost } from './node-shim-host.ts';

/** The world of a keeper that runs under Node because there was no QuickJS compiler. */
export const host: KeeperHost = { ...shimHost, keeping: nodeKeeping };
