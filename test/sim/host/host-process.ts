import type { Exit, Signal } from '../../../src/platform/platform.ts';
import type { Fault } from '../faults.ts';
import type { SimProcess } from '../world.ts';

/** Destination of a process's output: a pipe to another process, or none. */
export interface Sink {
  /** The reader; null: no reader, so writes never block. */
  readonly reader: HostProcess | null;
  readonly write: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Called when the last process that held it has exited. */
  readonly onEnd?: () => void;
  holders: number;
}

export interface HostProcess extends SimProcess {
  /** Clock ticks since the start of the machine: with the pid they identify one process for ever. */
  readonly startedTicks: number;
  readonly group: number;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
  readonly sink: Sink;
  /** Its children, and their children, become ours when it exits. */
  parent: HostProcess | null;
  argv: readonly string[];
  isSubreaper: boolean;
  /** True: it is killed when its parent is. */
  readonly isBonded: boolean;
  exit: Exit | null;
  /** Handlers of caught signals; a signal without one has its default action. */
  readonly handlers: Map<Signal, () => void>;
  /** Called once, when it exits. */
  readonly onEnd: ((exit: Exit) => void)[];
  /** Asked at each change of a file and each start of a process whether the process is killed there. */
  readonly death: Fault;
  /** Chance that one of those dies. */
  deathChance: number;
  /** Number of its changes that the disk has refused. */
  failures: number;
  /** Until then the scheduler does not run it: it reads and changes nothing. */
  pausedUntilMs: number;
}

/** proc(5): what `procTable` and `livingDescendants` read of it. */
export function statOf({ pid, argv, alive, parent, group, startedTicks }: HostProcess): string {
  const state = alive ? 'S' : 'Z';
  return `${pid} (${argv[0] ?? ''}) ${state} ${parent?.pid ?? 1} ${group} ${group}${ZEROS} ${startedTicks}`;
}

/** Fields 7 to 21. */
const ZEROS = ' 0'.repeat(15);
