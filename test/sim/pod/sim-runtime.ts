import {
  type ContainerEnd,
  type ContainerRuntime,
  type ContainerSpec,
  type ExecSession,
  type ExecSpec,
  type RunningContainer,
  StartError,
} from '../../../src/platform/container-runtime.ts';
import type { Signal } from '../../../src/platform/platform.ts';
import type { World } from '../world.ts';

/** Behaviour of one execution of a command. */
export interface Command {
  /** Duration in seconds; Infinity: the command never exits by itself. */
  readonly takes: number;
  readonly exitCode?: number;
}

/** Behaviour of a simulated program. Seconds count from the start of its run. */
export interface Program {
  /** Seconds after which the program exits by itself; absent: never. */
  readonly exitsAfter?: number;
  readonly exitCode?: number;
  /** Seconds from TERM to the exit; 'never': the program ignores TERM. */
  readonly onTerm?: number | 'never';
  /** Behaviour of the commands in its container, keyed by the first element of their argv. */
  readonly commands?: Readonly<Record<string, Command | (() => Command)>>;
  /** Error message because of which the program cannot be started; absent: it can. */
  readonly broken?: string;
}

/** Programs keyed by the container's name in the pod. A function is called again for each run. */
export type Programs = Readonly<Record<string, Program | (() => Program)>>;

/** Listener for events of the runtime, which are reported immediately. */
export interface RuntimeWatch {
  onRefused(spec: ContainerSpec): void;
  onStarted(container: RunningContainer): void;
  onSignal(container: RunningContainer, signal: Signal): void;
  onKill(container: RunningContainer): void;
  onEnded(container: RunningContainer): void;
  /** Returns the function to call when the command has exited. */
  onExec(container: RunningContainer, argv: readonly string[]): (exitCode: number) => void;
  onRemoved(container: RunningContainer): void;
}

/** Simulates containers on the simulated clock, without processes. It records every call with its time. */
export class SimRuntime implements ContainerRuntime {
  readonly name: string = 'sim';
  setsLimits: boolean = false;
  readonly containers: Map<string, SimContainer> = new Map();
  /** Calls such as "12.0 web TERM": seconds, container and call. */
  readonly seen: string[] = [];
  readonly #world: World;
  readonly #programs: Programs;
  readonly #watch: RuntimeWatch | undefined;

  constructor(world: World, programs: Programs, watch?: RuntimeWatch) {
    this.#world = world;
    this.#programs = programs;
    this.#watch = watch;
  }

  async start(spec: ContainerSpec): Promise<RunningContainer> {
    const before = this.containers.get(spec.id);
    if (before !== undefined) return before;
    const name = spec.labels['container'] ?? '';
    const program = programOf(this.#programs[name]);
    if (program.broken !== undefined) {
      this.#watch?.onRefused(spec);
      throw new StartError('StartError', program.broken, 127);
    }
    const container = new SimContainer(spec, program, {
      world: this.#world,
      watch: this.#watch,
      note: (what) => {
        this.note(`${name} ${what}`);
      },
      onRemoved: () => {
        this.containers.delete(spec.id);
      },
    });
    this.containers.set(spec.id, container);
    this.note(`${name} started`);
    this.#watch?.onStarted(container);
    return container;
  }

  async list(): Promise<readonly RunningContainer[]> {
    return [...this.containers.values()];
  }

  get(id: string): RunningContainer | undefined {
    return this.containers.get(id);
  }

  note(what: string): void {
    this.#world.note(what);
    this.#world.faults.look();
    this.seen.push(`${(this.#world.elapsedMs / 1_000).toFixed(1)} ${what}`);
  }
}

function programOf(program: Program | (() => Program) = {}): Program {
  return typeof program === 'function' ? program() : program;
}

interface Surroundings {
  readonly world: World;
  readonly watch: RuntimeWatch | undefined;
  readonly note: (what: string) => void;
  readonly onRemoved: () => void;
}

export class SimContainer implements RunningContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pid: number = 1;
  readonly imageId: string;
  readonly startedAtMs: number;
  readonly logPath: string = '';
  readonly ended: Promise<ContainerEnd>;
  end: ContainerEnd | null = null;
  readonly #program: Program;
  readonly #around: Surroundings;
  #resolve: (end: ContainerEnd) => void = () => {};

  constructor(spec: ContainerSpec, program: Program, around: Surroundings) {
    this.id = spec.id;
    this.labels = spec.labels;
    this.imageId = spec.image.id;
    this.#program = program;
    this.#around = around;
    this.startedAtMs = around.world.wallMs;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const { exitsAfter, exitCode = 0 } = program;
    if (exitsAfter !== undefined) this.#endAfter(exitsAfter, { exitCode, signal: null });
  }

  async signal(signal: Signal): Promise<void> {
    if (this.end !== null) return;
    this.#around.note(signal.slice(3));
    this.#around.watch?.onSignal(this, signal);
    const { onTerm = 0 } = this.#program;
    if (onTerm !== 'never') this.#endAfter(onTerm, { exitCode: null, signal });
  }

  async kill(): Promise<void> {
    if (this.end === null) {
      this.#around.note('KILL');
      this.#around.watch?.onKill(this);
    }
    this.#finish({ exitCode: null, signal: 'SIGKILL' });
  }

  exec({ argv }: ExecSpec): ExecSession {
    const [name = ''] = argv;
    const { world, watch, note } = this.#around;
    note(`exec ${argv.join(' ')}`);
    const reportEnd = watch?.onExec(this, argv);
    const { takes, exitCode = 0 } = this.callOf(name);
    let over = false;
    let resolve: (end: { exitCode: number | null; signal: string | null }) => void = () => {};
    const exited = new Promise<{ exitCode: number | null; signal: string | null }>((settle) => {
      resolve = settle;
    });
    const finish = (code: number): void => {
      if (over) return;
      over = true;
      reportEnd?.(code);
      resolve({ exitCode: code, signal: null });
    };
    const killed = (): void => {
      finish(137);
    };
    if (takes !== Infinity) {
      world.after(takes * 1_000, () => {
        finish(exitCode);
      });
    }
    void this.ended.then(killed);
    return {
      stdout: nothing(),
      stderr: nothing(),
      write: async () => {},
      endStdin: () => {},
      resize: () => {},
      exited,
      close: killed,
    };
  }

  /** Behaviour of the next execution of the command, which may differ from earlier ones. */
  callOf(name: string): Command {
    const command = this.#program.commands?.[name] ?? { takes: 0 };
    return typeof command === 'function' ? command() : command;
  }

  attach(): ExecSession {
    throw new Error('nobody attaches in the simulator');
  }

  async remove(): Promise<void> {
    this.#around.note('removed');
    this.#around.watch?.onRemoved(this);
    this.#around.onRemoved();
  }

  #endAfter(seconds: number, how: { exitCode: number | null; signal: string | null }): void {
    this.#around.world.after(seconds * 1_000, () => {
      this.#finish(how);
    });
  }

  #finish({ exitCode, signal }: { exitCode: number | null; signal: string | null }): void {
    if (this.end !== null) return;
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    this.end = { exitCode, signal, endedAtMs: this.#around.world.wallMs, reason };
    this.#around.note('ended');
    this.#around.watch?.onEnded(this);
    this.#resolve(this.end);
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // A simulated command has no output.
}
