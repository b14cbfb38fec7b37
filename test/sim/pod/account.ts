/**
 * Record of what really happened to one pod, kept by the simulated world, not by the code under test. It has each run
 * of a container with its signals, hooks and probes, and what each life (process) of the node received.
 */
import type { Container, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { RunRecord } from '../../../src/model/attempt.ts';
import type { World } from '../world.ts';
import { containersIn, type Role } from './policy.ts';

/** One execution of a hook or probe. All times are simulated milliseconds, which no clock setting changes. */
export interface Call {
  readonly point: string;
  readonly life: number;
  readonly beganMs: number;
  endedMs: number | null;
  /** True if the call exited by itself with success. */
  ok: boolean;
  /** True if the call was stopped. */
  cut: boolean;
}

export interface Stop {
  readonly life: number;
  readonly beganMs: number;
  /** Number of deletions that this life of the node had received when the stop began. */
  readonly reportedBefore: number;
  readonly clockSettings: number;
  /** The cause of the stop, as in the event. */
  readonly why: 'pod' | 'probe' | 'postStart';
}

export interface Reported {
  readonly atMs: number;
  /** Simulated time of the deletion request to the API, in milliseconds. */
  readonly askedMs: number;
  readonly graceSeconds: number;
  /** True if the clock was set between the request and its arrival at the node. */
  readonly clockWasSet: boolean;
  /** Number of clock settings at the time of the request to the API. */
  readonly clockSettings: number;
}

export interface Life {
  readonly pid: number;
  alive: boolean;
  readonly reported: Reported[];
  over: boolean;
  /** Time at which this life reported that the deadline of the pod has passed; null: it has not. */
  deadlineAtMs: number | null;
  ledgerFailed: boolean;
  /** Restart counts in the API when this life began, keyed by container. */
  readonly knownCounts: ReadonlyMap<string, number>;
  /** The last status that this life reported. At its start, it is the status in the API. */
  status: PodStatus;
}

export interface Row {
  verdict: boolean | null;
  length: number;
  last: boolean;
}

export interface RunAccount {
  readonly id: string;
  readonly container: string;
  readonly role: Role;
  readonly spec: Container;
  readonly count: number;
  readonly life: number;
  readonly startedMs: number;
  /** True if the program could not be started. */
  readonly refused: boolean;
  /** Seconds of the back-off before this run; null for the first run. */
  readonly pauseBefore: number | null;
  endedMs: number | null;
  /** The life of the node that was the last one when the run ended. */
  endedIn: number | null;
  exitCode: number;
  /** Seconds of the back-off after this run. */
  pauseAfter: number;
  readonly calls: Call[];
  readonly stops: Stop[];
  readonly terms: { readonly atMs: number; readonly life: number }[];
  /** Number of equal results in a row, keyed by life and kind of probe; computed independently of the product. */
  readonly rows: Map<string, Row>;
  startupPassed: boolean;
}

/** A start of a container before its process exists. `endedMs`: null while the start is in progress. */
export interface Pending {
  readonly life: number;
  readonly beganMs: number;
  readonly container: string;
  endedMs: number | null;
}

export interface SeenEvent {
  readonly reason: string;
  readonly container: string;
  readonly atMs: number;
}

export interface Intent {
  readonly life: number;
  readonly atMs: number;
  /** Number of changes of the clock before the time in the record was read. */
  readonly clockSettings: number;
  /** The life that recorded the end of the hook; null if none did. */
  settledIn: number | null;
}

/** Longest time in milliseconds between the look at the clock and the record; less than any change of the clock. */
const WRITE_MAX_MS = 250;

export class PodAccount {
  readonly world: World;
  readonly pod: Pod;
  readonly runs: RunAccount[] = [];
  /** The first record of the start of each hook, keyed by the run of the hook. */
  readonly intents: Map<string, Intent> = new Map();
  readonly lives: Life[] = [];
  readonly pending: Pending[] = [];
  readonly events: SeenEvent[] = [];
  /** The final phase of the pod; null until it is reported. */
  terminal: string | null = null;

  constructor(world: World, pod: Pod) {
    this.world = world;
    this.pod = pod;
  }

  get life(): Life {
    const life = this.lives.at(-1);
    if (life === undefined) throw new Error('no node has begun');
    return life;
  }

  get containers(): ReturnType<typeof containersIn> {
    return containersIn(this.pod);
  }

  get podGraceSeconds(): number {
    return this.pod.spec?.terminationGracePeriodSeconds ?? 30;
  }

  /** Adds a life of the node. The API's health of a run is valid until a probe of this life contradicts it. */
  beginLife(life: Life): void {
    this.lives.push(life);
    const { initContainerStatuses = [], containerStatuses = [] } = life.status;
    const reported = [...initContainerStatuses, ...containerStatuses];
    for (const { id, rows } of this.alive()) {
      const its = reported.find(({ containerID = '' }) => containerID.endsWith(`://${id}`));
      const passing = { verdict: true, length: 0, last: true };
      if (its?.started === true) rows.set(`${life.pid}/startup`, { ...passing });
      if (its?.started === true && its.ready) rows.set(`${life.pid}/readiness`, { ...passing });
    }
  }

  ofContainer(name: string): RunAccount[] {
    return this.runs.filter(({ container }) => container === name);
  }

  latest(name: string): RunAccount | undefined {
    return this.ofContainer(name).at(-1);
  }

  /** True for a run without a process that the API has not stored either: a restarted node cannot know it. */
  isForgotten({ refused, life, container, count }: RunAccount): boolean {
    const { pid, knownCounts } = this.life;
    return refused && life !== pid && (knownCounts.get(container) ?? -1) < count;
  }

  alive(name?: string): RunAccount[] {
    const all = name === undefined ? this.runs : this.ofContainer(name);
    return all.filter(({ endedMs }) => endedMs === null);
  }

  run(id: string): RunAccount | undefined {
    return this.runs.findLast((run) => run.id === id);
  }

  begin(run: Pick<RunAccount, 'id' | 'container' | 'count' | 'refused'>): RunAccount {
    const { world } = this;
    const found = this.containers.find(({ spec }) => spec.name === run.container);
    if (found === undefined) throw new Error(`nobody knows of container ${run.container}`);
    const before = this.latest(run.container);
    const begun: RunAccount = {
      ...run,
      ...found,
      life: this.life.pid,
      startedMs: world.elapsedMs,
      pauseBefore: before === undefined || isFirstKill(before) ? null : before.pauseAfter,
      endedMs: null,
      endedIn: null,
      exitCode: 0,
      pauseAfter: 0,
      calls: [],
      stops: [],
      terms: [],
      rows: new Map(),
      startupPassed: false,
    };
    this.runs.push(begun);
    return begun;
  }

  /** Keeps only the first start of a hook: a resumed sleep has another record for the remaining time. */
  takeRecord({ runId, type, atMs: recordedMs }: RunRecord): void {
    const { elapsedMs: atMs, wallMs } = this.world;
    const wasSet = wallMs < recordedMs || wallMs > recordedMs + WRITE_MAX_MS;
    const clockSettings = Math.max(0, this.world.clockSettings - (wasSet ? 1 : 0));
    const hook = runId.replaceAll('/resumed', '');
    const intent = this.intents.get(hook);
    const life = this.life.pid;
    if (type === 'AttemptSettled' && intent !== undefined) intent.settledIn = life;
    if (type !== 'AttemptStarted' || intent !== undefined) return;
    this.intents.set(hook, { life, atMs, clockSettings, settledIn: null });
  }

  /** Returns the function to call when the start has ended. */
  beginPending(container: string): () => void {
    const { elapsedMs: beganMs } = this.world;
    const pending: Pending = { life: this.life.pid, beganMs, container, endedMs: null };
    this.pending.push(pending);
    return () => {
      pending.endedMs = this.world.elapsedMs;
    };
  }

  /** `ranMs`: duration of the run by the node's clock, which the back-off uses. */
  end(run: RunAccount, { exitCode, ranMs }: { exitCode: number; ranMs: number }): void {
    run.endedMs = this.world.elapsedMs;
    run.endedIn = this.life.pid;
    run.exitCode = exitCode;
    if (run.pauseBefore === null || ranMs >= 600_000) run.pauseAfter = 0;
    else run.pauseAfter = run.pauseBefore === 0 ? 10 : Math.min(300, run.pauseBefore * 2);
  }

  /** True if the run's postStart hook has succeeded, or may have. */
  postStartDone({ id, spec, calls, startedMs }: RunAccount): boolean {
    const hook = spec.lifecycle?.postStart;
    if (hook === undefined) return true;
    if (hook.sleep !== undefined) {
      const intent = this.intents.get(`${id}/postStart`);
      const begunMs = intent?.atMs ?? startedMs;
      // A clock that was set between two lives of the node may have shortened the sleep.
      if (this.world.clockSettings > 0 && this.lives.length > 1) return true;
      return this.world.elapsedMs >= begunMs + hook.sleep.seconds * 1_000 * 0.97 - 20;
    }
    return calls.some(({ point, ok }) => point === 'postStart' && ok);
  }
}

/** True if a probe has ended the container's first run. The back-off ignores that end. */
function isFirstKill({ count, rows }: RunAccount): boolean {
  const failed = [...rows].some(
    ([key, { verdict }]) => !key.endsWith('readiness') && verdict === false,
  );
  return count === 0 && failed;
}
