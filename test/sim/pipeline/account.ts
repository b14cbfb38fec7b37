/**
 * Record of what really happened to the sessions of a pipeline, kept by the simulated machine, not by the code under
 * test.
 *
 *  PIPE-P1 Hooks of a stage run one after the other: `before` hooks, then the work, then `after` hooks. `onError`
 *     hooks run only after a failure or a cancellation, and `finally` hooks last.
 *  PIPE-P2 A failed hook is retried, as often as its policy says. No other hook is attempted again.
 *  PIPE-P3 After a cancellation, no `before` or `after` hook begins or is reported as begun. After a second
 *     cancellation, no hook at all does.
 *  PIPE-P4 Hooks with the same lock never run at the same time.
 *  PIPE-P5 A `changed` hook is skipped only if its inputs equal those of its last success.
 *  PIPE-P7 Each pending hook runs or is reported as skipped: onError hooks after a failure or a cancellation,
 *     finally hooks always.
 *  PIPE-P8 When a hook with `onLeftover: terminate` is reported as ended, all its processes have exited.
 *  PIPE-P9 A cleanup hook that has no timeout of its own is stopped after a default one.
 *  PIPE-I1 and PIPE-I3 as in hooks/list-intents.ts. ENG-C2 as in handlers/command.ts.
 *  PIPE-R1 A record is readable at any moment, and never records a false success.
 *  PIPE-R2 A session that was not killed records an end for each run that it opened, and its exit code.
 *  PIPE-R3 The record of a running session is not removed.
 *  PIPE-R4 A stage is reported with its true end: a success, its first failure, or a cancellation with 130.
 *  PIPE-P6 No secret is in a record or an event.
 *  PIPE-L1 Without faults a session ends, even if earlier sessions have left files or processes.
 */
import type { When } from '../../../src/lifecycles/pipeline/hooks/model.ts';
import type { Host } from '../host/host.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { SessionPlan, StagePlan } from './plan.ts';

export const STATE = '/p/.lifehook';
export const REPORTED_MS = 20;

export interface HookRun {
  readonly address: string;
  readonly runId: string;
  readonly attempt: number;
  /** The process of the hook; null if its program could not be started. */
  readonly process: HostProcess | null;
  readonly beganMs: number;
  endedMs: number | null;
  /** A process in the hook's group that the hook does not wait for. */
  leftover: HostProcess | null;
}

/** The real state of a stage's work. */
export interface StageTruth {
  workBeganMs: number | null;
  workEnded: 'well' | 'badly' | null;
}

export interface Session {
  readonly n: number;
  readonly process: HostProcess;
  readonly plan: SessionPlan;
  readonly hooks: HookRun[];
  readonly stages: Map<string, StageTruth>;
  /** Addresses of hooks that were reported as skipped. */
  readonly skipped: Set<string>;
  /**
   * Lists in which a hook was reported as ended after the signal that stops the list. Examples: "build/web main",
   * "build/web cleanup".
   */
  readonly stoppedLists: Set<string>;
  /** True when all stages have ended and the session closes its resources. */
  isClosing: boolean;
  /**
   * Time at which an attempt requested its first file, keyed by "<run>-<attempt>". From then on it counts as started.
   */
  readonly attempts: Map<string, number>;
  readonly beganMs: number;
  /** Digest of the inputs of the session's `changed` hooks. */
  readonly digest: string;
  folder: string | null;
  endedMs: number | null;
  exitCode: number | null;
  /** Simulated time at which the disk refused a record of a hook; null if it refused none. */
  refusedMs: number | null;
  cancelledMs: number | null;
  hurriedMs: number | null;
}

export interface Success {
  readonly address: string;
  readonly digest: string;
  readonly session: Session;
  /** Time of the success. It may be later than the end of the session, if the session was killed. */
  readonly atMs: number;
}

export class Account {
  readonly world: World;
  readonly sessions: Session[] = [];
  /** Successes of hooks, in the order in which they ended. */
  readonly successes: Success[] = [];
  faulty: boolean = true;
  /** True after a power failure, when unsynced data may have any content. */
  powerLost: boolean = false;
  /** True if a change of a file may take as long as SLOW_MS. */
  hasSlowDisk: boolean = false;
  host!: Host;
  /** Random numbers that decide whether the program of a hook is missing. */
  programDice!: Random;

  constructor(world: World) {
    this.world = world;
  }

  require(isSo: boolean, invariant: string, message: () => string): void {
    if (!isSo) this.world.violate(invariant, message());
  }

  ofNumber(n: number): Session {
    const session = this.sessions[n - 1];
    if (session === undefined) throw new Error(`there is no session ${n}`);
    return session;
  }

  phases(): string[] {
    const running = this.sessions.filter(({ endedMs }) => endedMs === null);
    const phases = running.flatMap(({ hooks, folder, stages, isClosing }) => {
      if (folder === null) return ['opening'];
      const now = hooks.filter(({ endedMs }) => endedMs === null);
      if (now.length > 0) return now.map(({ address }) => phaseOf(address));
      if (isClosing) return ['closing'];
      const works = [...stages.values()].some(
        (one) => one.workBeganMs !== null && one.workEnded === null,
      );
      return [works ? 'working' : 'between hooks'];
    });
    return phases.length === 0 ? ['none'] : [...new Set(phases)];
  }
}

/** The third part of an address: "build/web/before/0" gives "before". */
export function phaseOf(address: string): string {
  return address.split('/')[2] ?? '';
}

export interface Place {
  readonly stage: StagePlan;
  readonly when: When;
  readonly index: number;
}

/** Cached places, keyed by plan and then by address. */
const places = new WeakMap<SessionPlan, Map<string, Place>>();

export function placeOf({ plan }: Session, address: string): Place {
  const known = places.get(plan) ?? new Map<string, Place>();
  places.set(plan, known);
  const place = known.get(address) ?? findPlace(plan, address);
  known.set(address, place);
  return place;
}

function findPlace(plan: SessionPlan, address: string): Place {
  const [phase = '', name = '', when = '', index = ''] = address.split('/');
  const stage = plan.flat().find((one) => one.name === `${phase}/${name}`);
  if (stage === undefined) throw new Error(`there is no stage of ${address}`);
  return { stage, when: when as When, index: Number(index) };
}

export function policyOf(
  session: Session,
  address: string,
): StagePlan['hooks']['before'][number]['policy'] {
  const { stage, when, index } = placeOf(session, address);
  const hook = stage.hooks[when][index];
  if (hook === undefined) throw new Error(`there is no hook ${address}`);
  return hook.policy;
}

/** True if the hook exited by itself with code 0 before its deadline. */
export function endedWell(
  session: Session,
  { process, address, beganMs, endedMs }: HookRun,
): boolean {
  if (process?.exit?.code !== 0 || endedMs === null) return false;
  const { timeoutSeconds } = policyOf(session, address);
  return timeoutSeconds === null || endedMs - beganMs <= timeoutSeconds * 1_000 + REPORTED_MS;
}
