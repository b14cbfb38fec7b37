import { codeOf } from '../platform/posix-error.ts';
import type { Files } from '../platform/platform.ts';

/** The identity of a process: pids are reused, a pid together with its start time is not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal for the same process, different for every other one with its pid. */
  readonly started: string;
}

/** Returns our own identity, and whether another process is alive. */
export interface ProcessTable {
  self(): Promise<ProcessIdentity>;
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}

/** The process table of Linux (/proc). Facts that are constant for this process are read once. */
export function procTable(files: Files): ProcessTable {
  let boot: string | null = null;
  let own: ProcessIdentity | null = null;
  const look = async (name: string): Promise<{ identity: ProcessIdentity; dead: boolean }> => {
    const stat = await files.read(`/proc/${name}/stat`);
    boot ??= (await files.read('/proc/sys/kernel/random/boot_id')).trim();
    return readStat(stat, boot);
  };
  return {
    self: async () => (own ??= (await look('self')).identity),
    async isAlive({ pid, started }): Promise<boolean> {
      try {
        const { identity, dead } = await look(String(pid));
        return !dead && identity.started === started;
      } catch (error) {
        if (exitedCodes.has(codeOf(error) ?? '')) return false;
        throw error;
      }
    },
  };
}

/**
 * Whether the process group that this process led may still have members. A pid is not reused while a group has it:
 * another process with that pid, or another boot, means that the group has no members.
 */
export async function groupMayLive(
  files: Files,
  { pid, started }: ProcessIdentity,
): Promise<boolean> {
  const boot = (await files.read('/proc/sys/kernel/random/boot_id')).trim();
  if (!started.startsWith(`${boot}/`)) return false;
  try {
    return readStat(await files.read(`/proc/${pid}/stat`), boot).identity.started === started;
  } catch (error) {
    if (exitedCodes.has(codeOf(error) ?? '')) return true;
    throw error;
  }
}

/** ESRCH: it exited between the opening of its file and the reading. */
const exitedCodes: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH']);

/**
 * proc(5): `pid (name) state ppid …`, the start in clock ticks since boot as field 22. The name may
 * contain any characters, even spaces and parentheses, so the fields are counted from its last parenthesis.
 */
function readStat(stat: string, boot: string): { identity: ProcessIdentity; dead: boolean } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const identity = { pid: Number.parseInt(stat, 10), started: `${boot}/${fields[START_FIELD]}` };
  // A zombie has exited, but its parent has not reaped it yet.
  return { identity, dead: state === 'Z' || state === 'X' };
}

/** Field 22, counted from field 3, the first one after the name. */
const START_FIELD = 19;
