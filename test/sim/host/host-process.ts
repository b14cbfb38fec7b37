import type { Exit, Signal } from '../../../src/platform/platform.ts';
import type { Fault } from '../faults.ts';
import type { SimProcess } from '../world.ts';

/** Destination of a process's output: a pipe to another process, or none. */
export interface Sink {
  /** Process that reads the output; null if none does, so that writes never block. */
  readonly reader: HostProcess | null;
  readonly write: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Called when the last process that holds the sink has exited. */
  readonly onEnd?: () => void;
  holders: number;
}

export interface HostProcess extends SimProcess {
  /** Start time in clock ticks since the boot. With the pid, it identifies a process uniquely. */
  readonly startedTicks: number;
  readonly group: number;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
  readonly sink: Sink;
  /** Parent process. If it exits, its nearest living ancestor that is a subreaper becomes the parent; null: init. */
  parent: HostProcess | null;
  argv: readonly string[];
  isSubreaper: boolean;
  /** True if the process is killed when its parent exits. */
  readonly isBonded: boolean;
  exit: Exit | null;
  /** Handlers of caught signals. A signal without a handler has its default action. */
  readonly handlers: Map<Signal, () => void>;
  /** Listeners that are called once, when the process exits. */
  readonly onEnd: ((exit: Exit) => void)[];
  /** The fault that kills the process at a change of a file or at a start of another process. */
  readonly death: Fault;
  /** Probability of that fault at each such moment, from 0 to 1. */
  deathChance: number;
  /** Number of changes of this process that the disk has refused. */
  failures: number;
  /**
   * Simulated time until which the scheduler does not run the process, in milliseconds. Until then it reads and changes
   * nothing.
   */
  pausedUntilMs: number;
}

/** The fields of /proc/PID/stat (proc(5)) that `procTable` and `livingDescendants` read. */
export function statOf({ pid, argv, alive, parent, group, startedTicks }: HostProcess): string {
  const state = alive ? 'S' : 'Z';
  return `${pid} (${argv[0] ?? ''}) ${state} ${parent?.pid ?? 1} ${group} ${group}${ZEROS} ${startedTicks}`;
}

/** Fields 7 to 21 of the stat file. Of these only the number of threads is read, of zombies. */
const ZEROS = ' 0'.repeat(15);
