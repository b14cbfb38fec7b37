import type { SupervisorHost } from '../src/platform/supervisor-host.ts';
import { host as shimHost } from './quickjs-host.ts';
import { quickjsContainerIo } from './quickjs-container-io.ts';

/** The platform of the native supervisor. */
export const host: SupervisorHost = { ...shimHost, io: quickjsContainerIo };
