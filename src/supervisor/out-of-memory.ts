/**
 * Detects that the kernel killed a container's process for lack of memory: the cgroup counts that, in both versions.
 * The path is found while the container runs; the count is read after its end.
 * Also runs natively: uses nothing that QuickJS lacks.
 */
import type { Files, Platform } from '../platform/platform.ts';

export interface MemoryWatch {
  wasExceeded(): Promise<boolean>;
}

export async function watchMemory(
  { files }: Pick<Platform, 'files'>,
  pid: number,
): Promise<MemoryWatch> {
  const path = countPath(await readOrNothing(files, `/proc/${pid}/cgroup`));
  return {
    wasExceeded: async () => {
      if (path === null) return false;
      const [, count] = /^oom_kill (\d+)$/m.exec(await readOrNothing(files, path)) ?? [];
      return Number(count ?? 0) > 0;
    },
  };
}

/** Lines are `number:controllers:path`; version 2 has no controllers. */
function countPath(groups: string): string | null {
  const [, ofVersion1] = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups) ?? [];
  if (ofVersion1 !== undefined) return `/sys/fs/cgroup/memory${ofVersion1}/memory.oom_control`;
  const [, ofVersion2] = /^0::(.+)$/m.exec(groups) ?? [];
  return ofVersion2 === undefined ? null : `/sys/fs/cgroup${ofVersion2}/memory.events`;
}

async function readOrNothing(files: Files, path: string): Promise<string> {
  try {
    return await files.read(path);
  } catch {
    return '';
  }
}
