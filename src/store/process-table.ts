import { codeOf } from '../platform/posix-error.ts';
import type { Files } from '../platform/platform.ts';

/** One process for ever: numbers come again, a number together with its start does not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; the same for the same process, another for every other one with its number. */
  readonly started: string;
}

/** Who we are, and whether another one still lives. */
export interface ProcessTable {
  self(): Promise<ProcessIdentity>;
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}

/** Linux: the process table as files. What stays the same while this process lives is read once. */
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
        if (gone.has(codeOf(error) ?? '')) return false;
        throw error;
      }
    },
  };
}

/**
 * Whether the process group that this process led may still have members. A number is not given away while a group has it:
 * another process of that number, or another boot, means that the group is gone.
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
    if (gone.has(codeOf(error) ?? '')) return true;
    throw error;
  }
}

/** ESRCH: it went away between the opening of its file and the reading. */
const gone: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH']);

/**
 * proc(5): `pid (name) state ppid …`, the start in clock ticks since boot as field 22. The name may
 * hold anything, also spaces and parentheses, so the fields are counted from its last parenthesis.
 */
function readStat(stat: string, boot: string): { identity: ProcessIdentity; dead: boolean } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const identity = { pid: Number.parseInt(stat, 10), started: `${boot}/${fields[START_FIELD]}` };
  // A zombie has ended; nobody has asked for its exit status yet.
  return { identity, dead: state === 'Z' || state === 'X' };
}

/** Field 22, counted from field 3, the first one after the name. */
const START_FIELD = 19;
