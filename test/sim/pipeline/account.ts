/**
 * Record of what really happened to the sessions of a pipeline, kept by the simulated machine, not by the code under
 * test.
 *
 *  PIPE-P1 Hooks of a stage run one after the other, in order; the work after the before hooks, the after hooks after the work,
 *     onError only after a failure, finally after all.
 *  PIPE-P2 A hook is attempted again only after a failure, and as often as its policy says.
 *  PIPE-P3 After a cancellation no before and no after hook begins, or is reported as begun; after a second one no hook at all.
 *  PIPE-P4 Hooks with the same lock never run at once.
 *  PIPE-P5 A `changed` hook is left out only where its inputs are those of its last success.
 *  PIPE-P7 Each hook that is due runs or is reported as skipped; onError after a failure, finally in any case.
 *  PIPE-P8 A hook with `onLeftover: terminate` has left no process when it is reported as ended.
 *  PIPE-P9 A cleanup hook without a timeout of its own is stopped all the same.
 *  PIPE-I1, PIPE-I2, PIPE-I3 as in hooks/list-intents.ts. ENG-C2 as in handlers/command.ts.
 *  PIPE-R1 A record is readable at any moment, and never records a false success.
 *  PIPE-R2 A session that has ended by itself has an end for each run that it opened, and its exit code.
 *  PIPE-R3 The record of a session that runs is not removed.
 *  PIPE-R4 A stage is reported with its true end: a success, its first failure, or a cancellation with 130.
 *  PIPE-P6 No secret is in a record or an event.
 *  PIPE-L1 Without faults a session ends, also after leftovers of earlier ones.
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
  /** null: its program could not be started. */
  readonly process: HostProcess | null;
  readonly beganMs: number;
  endedMs: number | null;
  /** A process of its group that it does not wait for. */
  leftover: HostProcess | null;
}

/** The real end of a stage, from the work and the account. */
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
   * Lists such as "build/web main" or "build/web cleanup" of which a hook was reported as ended after the signal that
   * stops it.
   */
  readonly stoppedLists: Set<string>;
  /** True: all stages have ended, and open resources are closed. */
  isClosing: boolean;
  /** Keyed by "<run>-<attempt>": when its first file was requested, from when it counts as started. */
  readonly attempts: Map<string, number>;
  readonly beganMs: number;
  /** Digest of the inputs of its `changed` hooks. */
  readonly digest: string;
  folder: string | null;
  endedMs: number | null;
  exitCode: number | null;
  /** Time at which the disk has refused a record of a hook. */
  refusedMs: number | null;
  cancelledMs: number | null;
  hurriedMs: number | null;
}

export interface Success {
  readonly address: string;
  readonly digest: string;
  readonly session: Session;
  /** Later than the end of its session if that was killed. */
  readonly atMs: number;
}

export class Account {
  readonly world: World;
  readonly sessions: Session[] = [];
  /** In the order of their ends. */
  readonly successes: Success[] = [];
  faulty: boolean = true;
  /** True: the power was lost, so unsynced data may be anything. */
  powerLost: boolean = false;
  /** True: a change of a file can take as long as SLOW_MS. */
  hasSlowDisk: boolean = false;
  host!: Host;
  /** Dice for missing programs. */
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

/** Example: "build/web/before/0" gives "before". */
export function phaseOf(address: string): string {
  return address.split('/')[2] ?? '';
}

export interface Place {
  readonly stage: StagePlan;
  readonly when: When;
  readonly index: number;
}

/** For each plan: its places by address. */
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

/** True if it exited by itself with 0 before its deadline. */
export function endedWell(
  session: Session,
  { process, address, beganMs, endedMs }: HookRun,
): boolean {
  if (process?.exit?.code !== 0 || endedMs === null) return false;
  const { timeoutSeconds } = policyOf(session, address);
  return timeoutSeconds === null || endedMs - beganMs <= timeoutSeconds * 1_000 + REPORTED_MS;
}
