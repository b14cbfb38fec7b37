import type { Exit, Signal } from '../../../src/platform/platform.ts';
import type { Fault } from '../faults.ts';
import type { SimProcess } from '../world.ts';

/** Where a process writes: a pipe to another process, or nowhere. */
export interface Sink {
  /** The reader; null: without a reader, and nothing blocks. */
  readonly reader: HostProcess | null;
  readonly write: (stream: 'stdout' | 'stderr', text: string) => void;
  /** The last process that held it has ended. */
  readonly onEnd?: () => void;
  holders: number;
}

export interface HostProcess extends SimProcess {
  /** Clock ticks since the machine was started: with the number one process for ever. */
  readonly startedTicks: number;
  readonly group: number;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: string;
  readonly sink: Sink;
  /** Its children, and theirs, become ours when it ends. */
  parent: HostProcess | null;
  argv: readonly string[];
  isSubreaper: boolean;
  /** It is killed when its parent is. */
  readonly isBonded: boolean;
  exit: Exit | null;
  /** What was caught; an absent signal does what it does by default. */
  readonly handlers: Map<Signal, () => void>;
  /** Called once, when it ends. */
  readonly onEnd: ((exit: Exit) => void)[];
  /** Asked at each change of a file and each start of a process: whether it is killed there. */
  readonly death: Fault;
  /** Of one of those. */
  deathChance: number;
  /** How many of its changes the disk has refused. */
  failures: number;
  /** Until then it gets no time of the processor: it reads and changes nothing. */
  pausedUntilMs: number;
}

/** proc(5): what `procTable` and `livingDescendants` read of it. */
export function statOf({ pid, argv, alive, parent, group, startedTicks }: HostProcess): string {
  const state = alive ? 'S' : 'Z';
  return `${pid} (${argv[0] ?? ''}) ${state} ${parent?.pid ?? 1} ${group} ${group}${ZEROS} ${startedTicks}`;
}

/** Fields 7 to 21. */
const ZEROS = ' 0'.repeat(15);
