/**
 * Record of what really happened to one run, kept by the simulated world, not by the code under test: the effects
 * that began, the answers that arrived in time, and the content of the disk at each moment.
 */
import type { AttemptRequest } from '../../../src/engine/act.ts';
import type { Plan, Step } from '../../../src/engine/plan.ts';
import type { Outcome, RunRecord } from '../../../src/model/attempt.ts';
import type { SimProcess, World } from '../world.ts';
import type { JournalView } from './journal-view.ts';

/** Copied from the engine on purpose, so that a wrong number there is found. */
export const BACKSTOP_GRACE_MS = 30_000;

export interface Effect {
  readonly step: Step;
  readonly request: AttemptRequest;
  readonly process: SimProcess;
  readonly beganMs: number;
  cancelledMs: number | null;
  /** The first answer that the living process received; null if there is none. A rejection counts as Unknown. */
  answer: { readonly atMs: number; readonly outcome: Outcome } | null;
  /** True if the process died before the outcome was on the disk. */
  forgotten: boolean;
}

/** The outcome of an effect, as far as a correct engine can know it. `Open`: it can still get an answer. */
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
  /** The process in which the run executes; null if none does. */
  runner: SimProcess | null = null;
  /** True if the run's listener has thrown in this process. */
  listenerBroke: boolean = false;
  settled: { readonly outcome: string; readonly reason: string } | null = null;
  /**
   * The settlement that was in the journal when the present process began, else null. That process may drop a settled
   * run.
   */
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

  /**
   * The deadline recorded when the run was opened, in wall-clock milliseconds; Infinity if it has none. A resume cannot
   * change it.
   */
  deadlineMs(): number {
    const opened = this.durable().find((record) => record.type === 'RunOpened');
    const deadlineAtMs = opened === undefined ? this.plan.deadlineAtMs : opened.deadlineAtMs;
    return deadlineAtMs ?? Infinity;
  }

  /** True if the wall clock ever showed the deadline or later. */
  everLate(): boolean {
    return this.world.latestWallMs >= this.deadlineMs();
  }

  lookBefore(): void {
    const records = this.visible();
    // A process may drop a settled run from the file and fail before it reports that. Then the earlier view stays
    // valid.
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

  /** Number of attempts that certainly failed. */
  failures(step: Step): number {
    const failed: ReadonlySet<Known> = new Set(['Failed', 'TimedOut', 'Cancelled']);
    return this.effectsOf(step).filter((effect) => failed.has(this.known(effect))).length;
  }

  /** Number of intents whose end is unknown: their effect ended unseen, or never began. */
  unseen(step: Step): number {
    return this.intents(step).filter((attempt) => {
      const effect = this.effect(step, attempt);
      return effect === undefined || this.known(effect) === 'Unknown';
    }).length;
  }

  /** Call after each process has ended, before the next one starts. Knowledge that is not on the disk is lost then. */
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

/** Simulated time at which the engine stops waiting for the handler of this effect. */
function backstopMs({ beganMs, request, cancelledMs }: Effect): number {
  const byTimeout = request.timeoutMs === null ? Infinity : beganMs + request.timeoutMs;
  return Math.min(byTimeout, cancelledMs ?? Infinity) + BACKSTOP_GRACE_MS;
}
