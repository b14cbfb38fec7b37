/**
 * What really happened to one pod, kept by the simulated world and by nothing that is under test: every
 * run of a container, its signals, its hooks and probes, and what each life of the node received.
 */
import type { Container, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { RunRecord } from '../../../src/model/attempt.ts';
import type { World } from '../world.ts';
import { containersIn, type Role } from './policy.ts';

/** All times are milliseconds of the world, which no clock moves. */
export interface Call {
  readonly point: string;
  readonly life: number;
  readonly beganMs: number;
  endedMs: number | null;
  /** It exited by itself, with success. */
  ok: boolean;
  /** It was stopped. */
  cut: boolean;
}

export interface Stop {
  readonly life: number;
  readonly beganMs: number;
  /** How many deletions this life of the node had received, also in the same moment. */
  readonly reportedBefore: number;
  readonly clockSettings: number;
  /** As the event says it. */
  readonly why: 'pod' | 'probe' | 'postStart';
}

export interface Reported {
  readonly atMs: number;
  /** When the API was asked for it. */
  readonly askedMs: number;
  readonly graceSeconds: number;
  /** The clock was set between the two. */
  readonly clockWasSet: boolean;
  /** How often it had been set when the API was asked. */
  readonly clockSettings: number;
}

export interface Life {
  readonly pid: number;
  alive: boolean;
  readonly reported: Reported[];
  over: boolean;
  ledgerFailed: boolean;
  /** By container: what the API said of it when this life began. */
  readonly knownCounts: ReadonlyMap<string, number>;
  /** The last report; the first one is of the API. */
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
  /** Its program could not be started. */
  readonly refused: boolean;
  /** The pause before it, seconds; null: it is the first. */
  readonly pauseBefore: number | null;
  endedMs: number | null;
  /** The life of the node that was the last one when it ended. */
  endedIn: number | null;
  exitCode: number;
  /** The pause after it, seconds. */
  pauseAfter: number;
  readonly calls: Call[];
  readonly stops: Stop[];
  readonly terms: { readonly atMs: number; readonly life: number }[];
  /** By life and kind of probe: the unbroken row of results, judged again here. */
  readonly rows: Map<string, Row>;
  startupPassed: boolean;
}

/** A start that is or was under way, without a process. */
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
  /** By run of the hook: the first time that it was recorded as started. */
  readonly intents: Map<string, Intent> = new Map();
  readonly lives: Life[] = [];
  readonly pending: Pending[] = [];
  readonly events: SeenEvent[] = [];
  /** The phase that the pod has ended with, once reported. */
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

  /** What the API has of a run's health counts until a probe of this life says otherwise. */
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

  /** A run without a process is known from the API alone, and that may have missed it. */
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

  /** A sleep that the node resumes has a further record, of that part. */
  takeRecord({ runId, type }: RunRecord): void {
    const { elapsedMs: atMs, clockSettings } = this.world;
    const hook = runId.replaceAll('/resumed', '');
    const intent = this.intents.get(hook);
    const life = this.life.pid;
    if (type === 'AttemptSettled' && intent !== undefined) intent.settledIn = life;
    if (type !== 'AttemptStarted' || intent !== undefined) return;
    this.intents.set(hook, { life, atMs, clockSettings, settledIn: null });
  }

  /** The returned function stops it. */
  beginPending(container: string): () => void {
    const { elapsedMs: beganMs } = this.world;
    const pending: Pending = { life: this.life.pid, beganMs, container, endedMs: null };
    this.pending.push(pending);
    return () => {
      pending.endedMs = this.world.elapsedMs;
    };
  }

  /** `ranMs` as the clock has it: that is what its back-off goes by. */
  end(run: RunAccount, { exitCode, ranMs }: { exitCode: number; ranMs: number }): void {
    run.endedMs = this.world.elapsedMs;
    run.endedIn = this.life.pid;
    run.exitCode = exitCode;
    if (run.pauseBefore === null || ranMs >= 600_000) run.pauseAfter = 0;
    else run.pauseAfter = run.pauseBefore === 0 ? 10 : Math.min(300, run.pauseBefore * 2);
  }

  /** Whether its postStart hook is over and has succeeded. */
  postStartDone({ id, spec, calls, startedMs }: RunAccount): boolean {
    const hook = spec.lifecycle?.postStart;
    if (hook === undefined) return true;
    if (hook.sleep !== undefined) {
      const intent = this.intents.get(`${id}/postStart`);
      const begunMs = intent?.atMs ?? startedMs;
      // What the clock did between two lives of the node may have made it shorter.
      if (this.world.clockSettings > 0 && this.lives.length > 1) return true;
      return this.world.elapsedMs >= begunMs + hook.sleep.seconds * 1_000 * 0.97 - 20;
    }
    return calls.some(({ point, ok }) => point === 'postStart' && ok);
  }
}

/** A probe has ended its first run: that end counts for no back-off. */
function isFirstKill({ count, rows }: RunAccount): boolean {
  const failed = [...rows].some(
    ([key, { verdict }]) => !key.endsWith('readiness') && verdict === false,
  );
  return count === 0 && failed;
}
