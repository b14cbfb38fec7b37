/**
 * A simulated machine. It has files on a disk that fills and fails, and processes that start, signal, adopt and kill
 * each other. It may lose its power. Programs are functions; those of Lifehook run the product's code on the ports of
 * their process.
 */
import type { Exit, Signal } from '../../../src/platform/platform.ts';
import type { Fault } from '../faults.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { FileTree } from './file-tree.ts';
import type { HostProcess, Sink } from './host-process.ts';

export interface HostFaults {
  /** True while no write succeeds. */
  full: boolean;
  /** Probability that one write finds the disk full, from 0 to 1. */
  shortage: number;
  /** Probability that one sync fails, from 0 to 1. */
  syncFailure: number;
  /** Probability that one change is slow, up to SLOW_MS, from 0 to 1. */
  slowness: number;
}

interface DiskFaults {
  readonly full: Fault;
  readonly sync: Fault;
  readonly slow: Fault;
  readonly dice: Random;
}

export interface Start {
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly stdin?: string | undefined;
  readonly sink: Sink;
  readonly parent: HostProcess | null;
  /** Process group; absent: the process leads its own group. */
  readonly group?: number;
  readonly isBonded?: boolean;
}

/**
 * Called when its process starts. The process goes on after the function has returned, until `host.end`, a signal or a
 * power failure ends it.
 */
export type Program = (process: HostProcess) => void;

export interface HostWatch {
  /** Called when a file has got this content under its final name. */
  readonly onContent?: (path: string, text: string, by: HostProcess) => void;
  /** Called before new text is written to the file. */
  readonly onText?: (path: string, text: string) => void;
  /** Called when a process has replaced a file without a sync. */
  readonly onReplaced?: (process: HostProcess, path: string) => void;
  /** Called when the disk has refused a change of a process. */
  readonly onRefused?: (process: HostProcess, what: string) => void;
  readonly onRename?: (from: string, to: string) => void;
  readonly onSignal?: (signal: Signal, target: HostProcess, by: HostProcess) => void;
}

export class Host {
  readonly world: World;
  readonly random: Random;
  readonly tree: FileTree;
  readonly programs: Map<string, Program> = new Map();
  /** Simulated time at which the last slow change ends, in milliseconds. */
  slowUntilMs: number = 0;
  readonly faults: HostFaults = { full: false, shortage: 0, syncFailure: 0, slowness: 0 };
  readonly disk: DiskFaults;
  readonly deathDice: Random;
  readonly #reuse: Fault;
  readonly #reuseDice: Random;
  readonly watch: HostWatch;
  readonly processes: Map<number, HostProcess> = new Map();
  #boots = 1;
  #bootedMs = 0;
  #nextPid = FIRST_PID;
  #starts = 0;
  readonly #freed: { readonly process: HostProcess; readonly atMs: number }[] = [];

  constructor(options: { world: World; random: Random; watch: HostWatch }) {
    this.world = options.world;
    this.random = options.random;
    this.watch = options.watch;
    this.tree = new FileTree(options.random.fork('tree'));
    this.disk = {
      full: options.world.faults.of('disk full'),
      sync: options.world.faults.of('sync failure'),
      slow: options.world.faults.of('slow disk'),
      dice: options.random.fork('disk'),
    };
    this.deathDice = options.random.fork('death');
    this.#reuseDice = options.random.fork('numbers');
    this.#reuse = options.world.faults.of('process number reused');
  }

  get bootId(): string {
    return `boot-${this.#boots}`;
  }

  /** Throws if the host has no such program. */
  start(start: Start): HostProcess {
    const program = this.programs.get(start.file);
    if (program === undefined) throw new Error(`there is no program ${start.file}`);
    const pid = this.#takePid();
    const process: HostProcess = {
      pid,
      alive: true,
      startedTicks: Math.floor((this.world.elapsedMs - this.#bootedMs) / 10) + 500,
      group: start.group ?? pid,
      env: start.env,
      cwd: start.cwd ?? '/',
      stdin: start.stdin ?? '',
      sink: start.sink,
      parent: start.parent,
      argv: start.argv,
      isSubreaper: false,
      isBonded: start.isBonded ?? false,
      exit: null,
      handlers: new Map(),
      onEnd: [],
      death: this.world.faults.of('kill at a change', `process ${(this.#starts += 1)}`),
      deathChance: 0,
      failures: 0,
      pausedUntilMs: 0,
    };
    process.sink.holders += 1;
    this.processes.set(pid, process);
    program(process);
    return process;
  }

  end(process: HostProcess, exit: Exit): void {
    if (!process.alive) return;
    process.alive = false;
    process.exit = exit;
    this.processes.delete(process.pid);
    this.#freed.push({ process, atMs: this.world.elapsedMs });
    const heir = heirOf(process);
    for (const other of this.processes.values()) {
      if (other.parent !== process) continue;
      other.parent = heir;
      if (other.isBonded) this.end(other, { code: null, signal: 'SIGKILL' });
    }
    process.sink.holders -= 1;
    if (process.sink.holders === 0) process.sink.onEnd?.();
    for (const reported of process.onEnd) reported(exit);
  }

  kill(process: HostProcess): void {
    this.end(process, { code: null, signal: 'SIGKILL' });
  }

  /** Signals one process, or a process group if the number is negative. Returns false if there is none. */
  signal(target: number, signal: Signal, by: HostProcess): boolean {
    const members =
      target < 0 ? this.members(-target) : [this.processes.get(target)].filter(isThere);
    for (const member of members) {
      if (!member.alive) continue;
      this.watch.onSignal?.(signal, member, by);
      this.deliver(member, signal);
    }
    return members.length > 0;
  }

  deliver(process: HostProcess, signal: Signal): void {
    const handler = signal === 'SIGKILL' ? undefined : process.handlers.get(signal);
    if (handler === undefined) this.end(process, { code: null, signal });
    else handler();
  }

  members(group: number): HostProcess[] {
    return [...this.processes.values()].filter((process) => process.group === group);
  }

  /** Writes to the reader of the process's output. If the reader has exited, the process gets SIGPIPE. */
  write(process: HostProcess, stream: 'stdout' | 'stderr', text: string): void {
    const { reader, write } = process.sink;
    if (reader?.alive === false) this.end(process, { code: null, signal: 'SIGPIPE' });
    else write(stream, text);
  }

  /**
   * Simulates a power failure and a restart. A part of the unsynced writes is lost, every process is killed, and pids
   * start again.
   */
  reboot(): void {
    this.world.note('the machine loses its power and starts again');
    // All processes die at the same time, so no signal handler runs.
    const all = [...this.processes.values()];
    for (const process of all) Object.assign(process, { alive: false, exit: POWER_LOST });
    this.processes.clear();
    for (const process of all) for (const reported of process.onEnd) reported(POWER_LOST);
    this.tree.losePower();
    this.#boots += 1;
    this.#bootedMs = this.world.elapsedMs;
    this.#nextPid = FIRST_PID;
    this.#freed.length = 0;
  }

  #takePid(): number {
    const [oldest] = this.#freed;
    const isOld = oldest !== undefined && this.world.elapsedMs - freeMs(oldest) > REUSE_AFTER_MS;
    const isFree = isOld && this.members(oldest.process.pid).length === 0;
    if (isFree && this.#reuse.chance(this.#reuseDice, REUSE)) {
      this.#freed.shift();
      return oldest.process.pid;
    }
    this.#nextPid += 1;
    return this.#nextPid;
  }
}

const FIRST_PID = 100;
/** Milliseconds after which the number of an exited process may be used again. */
const REUSE_AFTER_MS = 500;
const REUSE = 0.3;
const POWER_LOST: Exit = { code: null, signal: 'SIGKILL' };

/**
 * Time at which the number of an exited process becomes free: when its parent reaps it. A paused parent reaps it later.
 */
function freeMs({
  process,
  atMs,
}: {
  readonly process: HostProcess;
  readonly atMs: number;
}): number {
  const { parent } = process;
  return parent?.alive === true ? Math.max(atMs, parent.pausedUntilMs) : atMs;
}

function heirOf(process: HostProcess): HostProcess | null {
  let heir = process.parent;
  while (heir !== null && !(heir.alive && heir.isSubreaper)) heir = heir.parent;
  return heir;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
