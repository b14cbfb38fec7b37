import { codeOf } from '../platform/posix-error.ts';
import type { Files } from '../platform/platform.ts';

/** The identity of a process. A pid is reused, but the same pid with the same start time is always the same process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time in an opaque form: equal for the same process, different for every other process with its pid. */
  readonly started: string;
}

/** Reads the identity of this process, and whether another process is alive. */
export interface ProcessTable {
  self(): Promise<ProcessIdentity>;
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}

/** The process table of Linux (/proc). Facts that never change for this process are read only once. */
export function procTable(files: Files): ProcessTable {
  let boot: string | null = null;
  let own: ProcessIdentity | null = null;
  const look = async (name: string): Promise<ProcessStat> => {
    const stat = await files.read(`/proc/${name}/stat`);
    boot ??= (await files.read('/proc/sys/kernel/random/boot_id')).trim();
    return readStat(stat, boot);
  };
  return {
    self: async () => (own ??= (await look('self')).identity),
    async isAlive({ pid, started }): Promise<boolean> {
      try {
        const { identity, state, threads } = await look(String(pid));
        if (identity.started !== started || state === 'X') return false;
        // A zombie has exited, but its parent has not reaped it yet. If other threads live, only its main thread has.
        return state !== 'Z' || threads > 1;
      } catch (error) {
        if (exitedCodes.has(codeOf(error) ?? '')) return false;
        throw error;
      }
    },
  };
}

/**
 * Whether the group that this process led may still have members. A pid is not reused while it is the id of a group. So
 * if another process has this pid, or if the machine was booted since, the group has no members.
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

/** ESRCH: the process exited after its file was opened and before it was read. */
const exitedCodes: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH']);

interface ProcessStat {
  readonly identity: ProcessIdentity;
  /** State of the main thread, such as "S"; "Z": zombie; "X": dead. */
  readonly state: string;
  /** Number of threads; a main thread that has exited counts. */
  readonly threads: number;
}

/**
 * Reads `pid (name) state ppid …` of proc(5); field 20 is the number of threads, field 22 the start in clock ticks
 * since boot. The name may contain any characters, even spaces and parentheses, so fields are counted from the last
 * parenthesis.
 */
function readStat(stat: string, boot: string): ProcessStat {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  const identity = { pid: Number.parseInt(stat, 10), started: `${boot}/${fields[START_FIELD]}` };
  return { identity, state, threads: Number(fields[THREADS_FIELD]) };
}

/** Fields 20 and 22 of stat; the indexes count from field 3, the first one after the name. */
const THREADS_FIELD = 17;
const START_FIELD = 19;
