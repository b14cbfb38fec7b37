import type { ShimHost } from '../../../platform/shim-host.ts';
import type { RuntimeCall } from './runtime-args.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

export interface Handing {
  readonly host: ShimHost;
  readonly call: RuntimeCall;
  readonly runtime: string;
  readonly settings: RuntimeSettings;
}

/** Replaces this process by the runtime, so nothing after this call runs. */
export function become({ host, call, runtime }: Handing): Promise<never> {
  return host.become(runtime, inheritedDescriptors(host, call));
}

/** The number of inherited descriptors: those of socket activation plus those of --preserve-fds, as in runc. */
export function inheritedDescriptors({ env }: ShimHost, { preserveFds }: RuntimeCall): number {
  const activated = Number.parseInt(env['LISTEN_FDS'] ?? '0', 10);
  return (Number.isSafeInteger(activated) ? activated : 0) + (preserveFds ?? 0);
}
