/**
 * Record of every container that ran, from its start to its end. The simulated nodes keep it, not the code under test.
 */
import type { HookPodFor } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import type { World } from '../world.ts';

export type HookIdentity = Omit<HookPodFor, 'deployment'>;

export interface Run {
  readonly podUid: string;
  readonly podName: string;
  /** Hash of the template; '' for a hook pod. */
  readonly version: string;
  /** The hook of a hook pod; null for a pod of the application. */
  readonly hook: HookIdentity | null;
  /** Number of creations of the lifecycle so far. Each new lifecycle restarts the rollout numbers. */
  readonly epoch: number;
  readonly startedMs: number;
  /** Simulated time of the exit, in milliseconds; null while it runs. */
  endedMs: number | null;
  exitCode: number | null;
  /** True if the node had signalled the container to stop before it exited. */
  isStopped: boolean;
}

export class Account {
  readonly runs: Run[] = [];
  epoch: number = 0;
  readonly #world: World;
  readonly #listeners: ((run: Run) => void)[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  onStart(listener: (run: Run) => void): void {
    this.#listeners.push(listener);
  }

  start(what: Pick<Run, 'podUid' | 'podName' | 'version' | 'hook'>): Run {
    const startedMs = this.#world.elapsedMs;
    const { epoch } = this;
    const run: Run = { ...what, epoch, startedMs, endedMs: null, exitCode: null, isStopped: false };
    this.#world.note(`a container of ${what.podName} ${what.version} starts`);
    this.runs.push(run);
    for (const listener of this.#listeners) listener(run);
    return run;
  }

  end(run: Run, exitCode: number): void {
    if (run.endedMs !== null) return;
    run.endedMs = this.#world.elapsedMs;
    run.exitCode = exitCode;
    this.#world.note(`a container of ${run.podName} ends with ${exitCode}`);
  }

  /** The runs of exactly this attempt, since the last creation of the lifecycle. */
  ofHook({ uid, number, stage, attempt }: HookIdentity): Run[] {
    return this.runs.filter(
      ({ hook, epoch }) =>
        hook?.uid === uid &&
        hook.number === number &&
        hook.stage === stage &&
        hook.attempt === attempt &&
        epoch === this.epoch,
    );
  }

  /** The runs that have not ended. */
  alive(): Run[] {
    return this.runs.filter(({ endedMs }) => endedMs === null);
  }
}

export function isSuccess({ endedMs, exitCode, isStopped }: Run): boolean {
  return endedMs !== null && exitCode === 0 && !isStopped;
}
