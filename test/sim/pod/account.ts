/**
 * Record of what really happened to one pod, kept by the simulated world, not by the code under test: every run of a
 * container, its signals, its hooks and probes, and what each life of the node received.
 */
import type { Container, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { RunRecord } from '../../../src/model/attempt.ts';
import type { World } from '../world.ts';
import { containersIn, type Role } from './policy.ts';

/** All times are milliseconds of the world, which are independent of clocks. */
export interface Call {
  readonly point: string;
  readonly life: number;
  readonly beganMs: number;
  endedMs: number | null;
  /** True: it exited by itself with success. */
  ok: boolean;
  /** True: it was stopped. */
  cut: boolean;
}

export interface Stop {
  readonly life: number;
  readonly beganMs: number;
  /** Number of deletions that this life of the node had received, also at the same moment. */
  readonly reportedBefore: number;
  readonly clockSettings: number;
  /** The cause in the event. */
  readonly why: 'pod' | 'probe' | 'postStart';
}

export interface Reported {
  readonly atMs: number;
  /** Time of the request to the API. */
  readonly askedMs: number;
  readonly graceSeconds: number;
  /** True: the clock was set between the two. */
  readonly clockWasSet: boolean;
  /** Number of clock settings at the time of the request to the API. */
  readonly clockSettings: number;
}

export interface Life {
  readonly pid: number;
  alive: boolean;
  readonly reported: Reported[];
  over: boolean;
  ledgerFailed: boolean;
  /** Keyed by container: its restart count in the API when this life began. */
  readonly knownCounts: ReadonlyMap<string, number>;
  /** The last report; the first one comes from the API. */
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
  /** True: its program could not be started. */
  readonly refused: boolean;
  /** Seconds of the pause before it; null: it is the first. */
  readonly pauseBefore: number | null;
  endedMs: number | null;
  /** The last life of the node when it ended. */
  endedIn: number | null;
  exitCode: number;
  /** Seconds of the pause after it. */
  pauseAfter: number;
  readonly calls: Call[];
  readonly stops: Stop[];
  readonly terms: { readonly atMs: number; readonly life: number }[];
  /** Keyed by life and kind of probe: the current row of equal results, computed again here. */
  readonly rows: Map<string, Row>;
  startupPassed: boolean;
}

/** A start in progress, or an ended one, without a process. */
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
  readonly clockSettings: number;
  /** The life that has recorded its end. */
  settledIn: number | null;
}

export class PodAccount {
  readonly world: World;
  readonly pod: Pod;
  readonly runs: RunAccount[] = [];
  /** Keyed by run of the hook: the first time that it was recorded as started. */
  readonly intents: Map<string, Intent> = new Map();
  readonly lives: Life[] = [];
  readonly pending: Pending[] = [];
  readonly events: SeenEvent[] = [];
  /** The final phase of the pod, once reported. */
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

  /** The health of a run in the API counts until a probe of this life contradicts it. */
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

  /** A run without a process is known from the API only, which may have missed it. */
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

  /** A resumed sleep has another record, of its second part. */
  takeRecord({ runId, type }: RunRecord): void {
    const { elapsedMs: atMs, clockSettings } = this.world;
    const hook = runId.replaceAll('/resumed', '');
    const intent = this.intents.get(hook);
    const life = this.life.pid;
    if (type === 'AttemptSettled' && intent !== undefined) intent.settledIn = life;
    if (type !== 'AttemptStarted' || intent !== undefined) return;
    this.intents.set(hook, { life, atMs, clockSettings, settledIn: null });
  }

  /** Returns the function that ends it. */
  beginPending(container: string): () => void {
    const { elapsedMs: beganMs } = this.world;
    const pending: Pending = { life: this.life.pid, beganMs, container, endedMs: null };
    this.pending.push(pending);
    return () => {
      pending.endedMs = this.world.elapsedMs;
    };
  }

  /** `ranMs` by the node's clock, which its back-off uses. */
  end(run: RunAccount, { exitCode, ranMs }: { exitCode: number; ranMs: number }): void {
    run.endedMs = this.world.elapsedMs;
    run.endedIn = this.life.pid;
    run.exitCode = exitCode;
    if (run.pauseBefore === null || ranMs >= 600_000) run.pauseAfter = 0;
    else run.pauseAfter = run.pauseBefore === 0 ? 10 : Math.min(300, run.pauseBefore * 2);
  }

  /** True if its postStart hook has succeeded. */
  postStartDone({ id, spec, calls, startedMs }: RunAccount): boolean {
    const hook = spec.lifecycle?.postStart;
    if (hook === undefined) return true;
    if (hook.sleep !== undefined) {
      const intent = this.intents.get(`${id}/postStart`);
      const begunMs = intent?.atMs ?? startedMs;
      // A clock that was set between two lives of the node may have made it shorter.
      if (this.world.clockSettings > 0 && this.lives.length > 1) return true;
      return this.world.elapsedMs >= begunMs + hook.sleep.seconds * 1_000 * 0.97 - 20;
    }
    return calls.some(({ point, ok }) => point === 'postStart' && ok);
  }
}

/** True if a probe ended its first run: that end does not count for the back-off. */
function isFirstKill({ count, rows }: RunAccount): boolean {
  const failed = [...rows].some(
    ([key, { verdict }]) => !key.endsWith('readiness') && verdict === false,
  );
  return count === 0 && failed;
}
