import type { SupervisorHost } from './supervisor-host.ts';
import { nodeContainerIo } from './node-container-io.ts';
import { host as shimHost } from './node-shim-host.ts';

/** The host of a supervisor that runs under Node because there was no QuickJS compiler. */
export const host: SupervisorHost = { ...shimHost, io: nodeContainerIo };
