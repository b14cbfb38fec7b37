/**
 * Record of what really happened to the containers, kept by the simulated machine, not by the code under test: which
 * hooks and programs began and ended, which files were on the disk, and which processes were killed.
 *
 *  OCI-O1 Hooks run in the order of the specification (runtime.md, "Lifecycle"). A hook begins only after the one
 *     before it has succeeded. The program begins after the startContainer hooks.
 *  OCI-O2 No hook of a container is started twice, whichever process is killed.
 *  OCI-O3 No two hooks of a container run at the same time, except postexit hooks in parallel with poststart hooks.
 *  OCI-O4 Each poststop hook runs after the container's process has exited, even if other poststop hooks failed.
 *  OCI-O5 A hook receives the true status, process number and exit code, and nothing of the host's environment.
 *  OCI-O6 A runner starts no hook if its command died before the runner reported itself.
 *  OCI-D1, OCI-D2 and OCI-D3 as in drive.ts, OCI-V2 and OCI-V3 as in supervise.ts, ENG-E1 and ENG-E7 as in
 *     engine/step.ts, ENG-C1 and ENG-C2 as in handlers/command.ts.
 *  OCI-R1 A hook that was started has a record: its true end, or Unknown if a process or the disk failed.
 *  OCI-R2 The status of a container can be read at any moment, and is true.
 *  OCI-R3 An exit record is true, and never changes.
 *  OCI-K1 No foreign process gets a signal.
 *  OCI-K2 After delete neither processes nor files of the container are left.
 *  OCI-S1 No secret is in a record, an event or a message.
 *  OCI-L1 Without faults every command ends.
 */
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Exit, Signal } from '../../../src/platform/platform.ts';
import type { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { World } from '../world.ts';
import type { Runner } from './judge-runner.ts';
import { bundleOf, type ContainerPlan } from './plan.ts';

export const ROOT = '/run/lifehook/containers';
export const SPOOL = '/run/lifehook/hooks';

export interface HookRun {
  readonly point: Point;
  readonly index: number;
  readonly process: HostProcess;
  readonly beganMs: number;
  endedMs: number | null;
  /** True if the hook's runner was killed, so that no process enforces its deadline. */
  lostRunner: boolean;
  readonly runner: HostProcess | null;
  /** Processes that the hook started, in its process group or in a session of their own. */
  readonly children: HostProcess[];
}

/** A signal that a user has sent to a `run` command, and that the command has caught. */
export interface WantedSignal {
  readonly signal: Signal;
  /** The process of the command. */
  readonly by: HostProcess;
}

/** One `create` or `run` command, and the container that it creates. */
export interface Creation {
  readonly n: number;
  readonly id: string;
  readonly plan: ContainerPlan;
  readonly hooks: HookRun[];
  /** Hooks whose intent was written, such as "poststop 0". */
  readonly intents: Set<string>;
  /** True after container.json was written under its final name: from then on the container exists. */
  recorded: boolean;
  /** Instance in the container's record; null if there is no record. */
  instance: string | null;
  /** True after a delete has moved the record away. */
  deleted: boolean;
  /** The shell that waits at the gate, and later becomes the program. */
  held: HostProcess | null;
  releasedMs: number | null;
  exitText: string | null;
  /** Times at which a user interrupted a command on this container, in simulated milliseconds. */
  readonly cancelsMs: number[];
  readonly wanted: WantedSignal[];
  /** True if a process that worked on this container was killed, the disk failed, or the power was lost. */
  disturbed: boolean;
  phase: string;
}

export class Account {
  readonly world: World;
  readonly creations: Creation[] = [];
  /** The container that has this id now, keyed by id. Its record is in the directory of the id. */
  readonly current: Map<string, Creation> = new Map();
  /** Runners of hooks that commands have started. */
  readonly runners: Map<HostProcess, Runner> = new Map();
  /** Time at which a command caught a signal that cancels it, in simulated milliseconds, keyed by its process. */
  readonly cancelled: Map<HostProcess, number> = new Map();
  /** Signals that each process received, in order. */
  readonly signals: Map<HostProcess, Signal[]> = new Map();
  /** False when no more faults may be injected. */
  faulty: boolean = true;
  host!: Host;

  constructor(world: World) {
    this.world = world;
  }

  open(id: string, plan: ContainerPlan): Creation {
    const creation: Creation = {
      n: this.creations.length + 1,
      id,
      plan,
      hooks: [],
      intents: new Set(),
      recorded: false,
      instance: null,
      deleted: false,
      held: null,
      releasedMs: null,
      exitText: null,
      cancelsMs: [],
      wanted: [],
      disturbed: false,
      phase: 'none',
    };
    this.creations.push(creation);
    return creation;
  }

  ofNumber(n: number): Creation {
    const creation = this.creations[n - 1];
    if (creation === undefined) throw new Error(`there is no creation ${n}`);
    return creation;
  }

  ofBundle(folder: string): Creation | undefined {
    return this.creations.find(
      ({ n }) => folder === bundleOf(n) || folder.startsWith(`${bundleOf(n)}/`),
    );
  }

  /** Marks all containers of this id, since the killed process may have worked on any of them. */
  disturb(id: string): void {
    for (const creation of this.creations) if (creation.id === id) creation.disturbed = true;
  }

  /** Reports a violation of the invariant if `isSo` is false. */
  require(isSo: boolean, invariant: string, message: () => string): void {
    if (!isSo) this.world.violate(invariant, message());
  }

  /** True if no process was killed and no operation was refused so far. */
  isCalm(): boolean {
    return this.creations.every(({ disturbed }) => !disturbed);
  }

  phases(): string[] {
    const open = [...this.current.values()].filter(({ deleted }) => !deleted);
    const running = this.creations.flatMap(({ hooks }) =>
      hooks.filter(({ endedMs }) => endedMs === null).map(({ point }) => point),
    );
    const phases = [...open.map(({ phase }) => phase), ...running];
    return phases.length === 0 ? ['none'] : [...new Set(phases)];
  }
}

export function findRun({ hooks }: Creation, point: Point, index: number): HookRun | undefined {
  return hooks.find((run) => run.point === point && run.index === index);
}

/** True if the hook exited by itself with code 0 before its deadline. */
export function endedWell({ plan }: Creation, run: HookRun): boolean {
  const { process, point, index, beganMs, endedMs } = run;
  if (process.exit?.code !== 0 || endedMs === null) return false;
  const timeout = plan.hooks[point][index]?.timeout ?? null;
  return timeout === null || endedMs - beganMs <= timeout * 1_000 + REPORTED_MS;
}

/** Maximum difference between an exit time that the runner reports and the simulated time, in milliseconds. */
export const REPORTED_MS = 20;

export function describeExit(exit: Exit | null): string {
  return exit === null ? 'has not ended' : `ended with ${exit.signal ?? exit.code}`;
}
