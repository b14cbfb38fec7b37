import type { RunRecord, StepOutline } from '../model/attempt.ts';
import type { RunEvent, EventEnvelope, Lifecycle, LifecycleEvent } from '../model/event.ts';
import type { Ledger } from './ledger.ts';
import { LifehookError } from '../model/problem.ts';
import type { Clock } from '../platform/platform.ts';
import { bareResult } from './act.ts';
import type { Plan, Step } from './plan.ts';
import { readRecords } from './records.ts';

/**
 * The records of a running run. They are appended one after the other, kept in memory once they are durable, then
 * passed to the listener. After one failed append, every later one fails with the same error, since the content of the
 * ledger is unknown.
 */
export class RunLog {
  readonly #ledger: Ledger;
  readonly #emit: ((event: RunEvent) => void) | undefined;
  readonly #records: RunRecord[];
  #lastAppend: Promise<void> = Promise.resolve();
  #listenerError: string | null = null;

  private constructor(
    records: readonly RunRecord[],
    { ledger, emit }: { ledger: Ledger; emit?: ((event: RunEvent) => void) | undefined },
  ) {
    this.#records = [...records];
    this.#ledger = ledger;
    this.#emit = emit;
  }

  static async open(
    runId: string,
    options: { ledger: Ledger; emit?: ((event: RunEvent) => void) | undefined },
  ): Promise<RunLog> {
    return new RunLog(await options.ledger.read(runId), options);
  }

  get records(): readonly RunRecord[] {
    return this.#records;
  }

  /** The error that the listener threw, after which it is no longer called; null: none. */
  get listenerError(): string | null {
    return this.#listenerError;
  }

  /** Resolves when the record is durable. */
  append(record: RunRecord): Promise<void> {
    this.#lastAppend = this.#appendAfter(this.#lastAppend, record);
    return this.#lastAppend;
  }

  async #appendAfter(previous: Promise<void>, record: RunRecord): Promise<void> {
    await previous;
    await this.#ledger.append(record);
    this.#records.push(record);
    this.emit(record);
  }

  /** Resolves when all appended records are durable; rejects if one of them cannot be appended. */
  flushed(): Promise<void> {
    return this.#lastAppend;
  }

  /**
   * Passes an event to the listener. A listener that throws is not called again: an error of the terminal must not
   * leave a volume frozen.
   */
  emit(event: RunEvent): void {
    if (this.#listenerError !== null) return;
    try {
      this.#emit?.(event);
    } catch (error) {
      this.#listenerError = String(error);
    }
  }
}

/**
 * Appends the opening record of a new run. If the process of an unsettled run has exited, every intent without an
 * outcome becomes Unknown.
 */
export async function openRun(plan: Plan, log: RunLog, clock: Clock): Promise<void> {
  const { runId, title, deadlineAtMs } = plan;
  const steps = plan.steps.map(outlineOf);
  const [first] = log.records;
  if (first === undefined) {
    const atMs = clock.nowMs();
    await log.append({ type: 'RunOpened', runId, atMs, title, steps, deadlineAtMs });
    return;
  }
  refuseOtherSteps(plan, steps, first);
  const { settled, open } = readRecords(plan, log.records);
  if (settled !== null) return;
  for (const { step, attempt } of open) {
    const reason = 'it was started, but the process that ran it exited before its end was recorded';
    const result = bareResult('Unknown', reason, 0);
    const atMs = clock.nowMs();
    await log.append({ type: 'AttemptSettled', runId, atMs, step, attempt, result });
  }
}

function outlineOf(step: Step): StepOutline {
  const { kind, name } = step;
  if (step.kind === 'main' || step.undoes === undefined) return { kind, name };
  return { kind, name, undoes: step.undoes };
}

/** Throws if the run was opened with other steps: its records would be assigned to the wrong steps. */
function refuseOtherSteps(plan: Plan, steps: readonly StepOutline[], first: RunRecord): void {
  const given = JSON.stringify(steps);
  const recorded = first.type === 'RunOpened' ? JSON.stringify(first.steps) : null;
  if (recorded === given) return;
  const why =
    recorded === null
      ? 'cannot continue: its first record is not its opening'
      : `was opened with the steps ${recorded}, and cannot continue with ${given}`;
  throw new LifehookError({
    code: 'LHE006',
    message: `Run ${plan.runId} (${plan.title}) ${why}.`,
    next: 'Continue the run with its recorded steps, or open a new run under another id.',
  });
}

/** The part of the envelope that is the same for all events of a run. */
type RunPlace<L extends Lifecycle> = Pick<EventEnvelope, 'target' | 'point' | 'run'> & {
  readonly lifecycle: L;
};

/** Wraps an event of the engine in the envelope of its lifecycle. Pure. */
export function runEnvelope<L extends Lifecycle>(
  place: RunPlace<L>,
  detail: RunEvent,
): LifecycleEvent<L, RunEvent> {
  const attempt = 'attempt' in detail ? detail.attempt : null;
  const event = { ...place, attempt, atMs: detail.atMs, detail };
  if (detail.type !== 'AttemptSettled') return event;
  const { outcome, durationMs } = detail.result;
  return { ...event, end: { outcome, durationMs } };
}
