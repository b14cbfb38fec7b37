/**
 * Record of what really happened to one run, kept by the simulated world, not by the code under test: the effects
 * that began, the answers that arrived in time, and the content of the disk at each moment.
 */
import type { AttemptRequest } from '../../../src/engine/act.ts';
import type { Plan, Step } from '../../../src/engine/plan.ts';
import type { Outcome, RunRecord } from '../../../src/model/attempt.ts';
import type { SimProcess, World } from '../world.ts';
import type { JournalView } from './journal-view.ts';

/** Repeated here, so that a wrong number in the engine is found. */
export const BACKSTOP_GRACE_MS = 30_000;

export interface Effect {
  readonly step: Step;
  readonly request: AttemptRequest;
  readonly process: SimProcess;
  readonly beganMs: number;
  cancelledMs: number | null;
  /** The answer that a living process received. A rejection counts as Unknown. */
  answer: { readonly atMs: number; readonly outcome: Outcome } | null;
  /** The process died before the outcome was on the disk. */
  forgotten: boolean;
}

/** The outcome of an effect, as far as a correct engine can know it. */
export type Known = Outcome | 'Open';

type RunSettled = Extract<RunRecord, { type: 'RunSettled' }>;

export interface AccountOptions {
  readonly plan: Plan;
  readonly world: World;
  readonly journal: JournalView;
}

export class Account {
  readonly plan: Plan;
  readonly world: World;
  readonly effects: Effect[] = [];
  /** Records that were reported to the listener, and so acknowledged. */
  readonly acknowledged: RunRecord[] = [];
  cancelEver: boolean = false;
  /** The process in which it runs now; null: none does. */
  runner: SimProcess | null = null;
  /** True: its listener has thrown in this process. */
  listenerBroke: boolean = false;
  settled: { readonly outcome: string; readonly reason: string } | null = null;
  /** Its settlement if that was on the disk when the present process began, which may forget a settled run. */
  settledBefore: RunSettled | null = null;
  readonly #journal: JournalView;

  constructor({ plan, world, journal }: AccountOptions) {
    this.plan = plan;
    this.world = world;
    this.#journal = journal;
  }

  get runId(): string {
    return this.plan.runId;
  }

  /** This run's records that a power failure at this moment would leave. */
  durable(): readonly RunRecord[] {
    return this.#journal.durable(this.runId);
  }

  visible(): readonly RunRecord[] {
    return this.#journal.visible(this.runId);
  }

  /** The deadline that was recorded when the run was opened, Infinity for none; a resume cannot move it. */
  deadlineMs(): number {
    const opened = this.durable().find((record) => record.type === 'RunOpened');
    const deadlineAtMs = opened === undefined ? this.plan.deadlineAtMs : opened.deadlineAtMs;
    return deadlineAtMs ?? Infinity;
  }

  /** True if any clock ever showed the deadline or later. */
  everLate(): boolean {
    return this.world.latestWallMs >= this.deadlineMs();
  }

  lookBefore(): void {
    const records = this.visible();
    // A process may forget a settled run in the file and fail before it reports that: then the last view counts.
    if (records.length === 0) return;
    this.settledBefore = records.find((record) => record.type === 'RunSettled') ?? null;
  }

  intents(step: Step): number[] {
    return this.durable()
      .filter((record) => record.type === 'AttemptStarted')
      .filter((record) => record.step === step.name)
      .map(({ attempt }) => attempt);
  }

  effectsOf(step: Step): Effect[] {
    return this.effects.filter((effect) => effect.step.name === step.name);
  }

  effect(step: Step, attempt: number): Effect | undefined {
    return this.effectsOf(step).find(({ request }) => request.attempt === attempt);
  }

  known(effect: Effect): Known {
    if (effect.forgotten) return 'Unknown';
    const { answer } = effect;
    if (answer !== null && answer.atMs < backstopMs(effect)) return answer.outcome;
    return this.world.elapsedMs < backstopMs(effect) ? 'Open' : 'Unknown';
  }

  /** Definite failures. */
  failures(step: Step): number {
    const failed: ReadonlySet<Known> = new Set(['Failed', 'TimedOut', 'Cancelled']);
    return this.effectsOf(step).filter((effect) => failed.has(this.known(effect))).length;
  }

  /** Number of intents without a known end: their effect ended unseen, or never began. */
  unseen(step: Step): number {
    return this.intents(step).filter((attempt) => {
      const effect = this.effect(step, attempt);
      return effect === undefined || this.known(effect) === 'Unknown';
    }).length;
  }

  /**
   * Call after a process has ended: it forgets knowledge that is not on the disk. Call it after each one, since the
   * next may still lose data in the page cache.
   */
  forget(): void {
    const ended = new Set(
      this.visible()
        .filter((record) => record.type === 'AttemptSettled')
        .map(({ step, attempt }) => `${attempt} ${step}`),
    );
    for (const effect of this.effects) {
      const recorded = ended.has(`${effect.request.attempt} ${effect.step.name}`);
      effect.forgotten ||= effect.answer === null || !recorded;
    }
  }
}

/** Time at which the engine stops waiting for this effect's handler. */
function backstopMs({ beganMs, request, cancelledMs }: Effect): number {
  const byTimeout = request.timeoutMs === null ? Infinity : beganMs + request.timeoutMs;
  return Math.min(byTimeout, cancelledMs ?? Infinity) + BACKSTOP_GRACE_MS;
}
