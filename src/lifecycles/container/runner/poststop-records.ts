import type { ShimHost } from '../../../platform/shim-host.ts';

/** Whether the runtime has run poststop hooks itself, as it does when the container came to life. */
export async function poststopRan(
  host: ShimHost,
  { spool, containerId, sinceMs }: { spool: string; containerId: string; sinceMs: number },
): Promise<boolean> {
  try {
    const names = await host.files.list(spool);
    return names.some(
      (name) => name.includes(`-${containerId}-poststop-`) && Number.parseInt(name, 10) >= sinceMs,
    );
  } catch {
    return false;
  }
}
