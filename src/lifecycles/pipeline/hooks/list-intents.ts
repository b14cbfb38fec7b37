/**
 * Makes the intents of a list of hooks durable together: one sync instead of one per hook
 * (docs/decisions/pipeline-intents.md).
 *
 *  PIPE-I1 The opening of a run is durable before its hook is started. A run that was opened and has no end may have
 *     started: it is Unknown, and never a success.
 *  PIPE-I2 When a list ends, each of its runs that was opened but has not started is settled as Cancelled.
 *  PIPE-I3 Once a record was refused, no further hook starts, including those of lists that share the ledger.
 */
import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord, StepOutline } from '../../../model/attempt.ts';
import { asError } from '../../../platform/error-text.ts';
import type { Timers } from '../../../platform/platform.ts';
import { callbackType } from '../events/hook-counts.ts';
import { decideHook } from './decide.ts';
import type { PipelineHook } from './model.ts';
import type { HookList, HookRunContext } from './run-context.ts';

/**
 * Maximum number of runs that are opened together. They share one line of the journal, and all may be Unknown after a
 * power failure.
 */
export const MAX_GROUP = 64;

export class ListIntents {
  readonly #list: HookList;
  readonly #context: Context;
  readonly #ledger: IntentLedger;
  /** The ids of runs that are opened but not started. */
  readonly #opened = new Map<PipelineHook, string>();

  constructor(list: HookList, context: Context) {
    this.#list = list;
    this.#context = context;
    this.#ledger = openedLedger(context.ledger, context.platform.timers, (runId, why) => {
      const message = `The outcome of run ${runId} could not be recorded: ${why}.`;
      context.emit({ type: 'Warning', code: 'LHL310', message });
    });
  }

  /** The ledger for runs whose opening is durable. */
  get ledger(): Ledger {
    return this.#ledger;
  }

  /**
   * Returns the id of the hook's run once its opening is durable. Rejects if the ledger does: then no hook of the list
   * starts any more, and the ends of its runs are not recorded either.
   */
  async open(hook: PipelineHook): Promise<string> {
    try {
      if (!this.#opened.has(hook)) await this.#openFrom(hook);
    } catch (error) {
      this.#opened.clear();
      throw error;
    }
    const runId = this.#opened.get(hook) ?? '';
    this.#opened.delete(hook);
    return runId;
  }

  /** Settles the opened runs that were not started. Call it at the end of the list: no hook of it starts any more. */
  close(): void {
    const atMs = this.#context.platform.clock.nowMs();
    for (const runId of this.#opened.values()) {
      this.#ledger.settle({
        type: 'RunSettled',
        runId,
        atMs,
        outcome: 'Cancelled',
        reason: NOT_RUN,
      });
    }
    this.#opened.clear();
    this.#ledger.flush();
  }

  async #openFrom(hook: PipelineHook): Promise<void> {
    const { hooks, facts } = this.#list;
    const next = hooks
      .slice(hooks.indexOf(hook) + 1)
      .filter((one) => !this.#opened.has(one) && decideHook(one, facts).runs);
    const atMs = this.#context.platform.clock.nowMs();
    const group = [hook, ...next.slice(0, MAX_GROUP - 1)].map((one) => {
      const runId = this.#context.nextRunId();
      this.#opened.set(one, runId);
      return openingOf(one, runId, atMs);
    });
    this.#ledger.flush();
    // Append all in one turn, so that they share one line and its sync.
    await Promise.all(group.map((record) => appendTo(this.#context.ledger, record)));
  }
}

type Context = Pick<HookRunContext, 'ledger' | 'nextRunId' | 'platform' | 'emit'>;

const NOT_RUN = 'the list of hooks ended before this hook started';

/** Whether the hook is a cleanup hook, which a cancellation does not reach. */
export function isCleanup({ when }: PipelineHook): boolean {
  return when === 'onError' || when === 'finally';
}

/** The title of the hook's run in the journal, on the timeline and in events. */
export function titleOf(hook: PipelineHook): string {
  return `${callbackType(hook)} ${hook.address}`;
}

function openingOf(hook: PipelineHook, runId: string, atMs: number): RunRecord {
  const step: StepOutline = { kind: isCleanup(hook) ? 'cleanup' : 'main', name: hook.address };
  return {
    type: 'RunOpened',
    runId,
    atMs,
    title: titleOf(hook),
    steps: [step],
    deadlineAtMs: null,
  };
}

export interface IntentLedger extends Ledger {
  /** Records an outcome without waiting for the sync. */
  settle(record: RunRecord): void;
  /** Writes the gathered records. */
  flush(): void;
}

/** Milliseconds that a record waits for others at most. */
const GATHER_MS = 10;
/** Number of gathered records that are written at once. */
const MAX_GATHERED = 100;

/** Parallel lists of hooks share a ledger, so a refusal in one list stops all of them. */
const refusals = new WeakMap<Ledger, Error>();

/** Appends a record. After a refusal, no list on this ledger starts a hook. */
async function appendTo(ledger: Ledger, record: RunRecord): Promise<void> {
  try {
    await ledger.append(record);
  } catch (error) {
    if (!refusals.has(ledger)) refusals.set(ledger, asError(error));
    throw error;
  }
}

/**
 * A ledger for runs that are already recorded as opened. That record is also the intent of the first attempt. So the
 * start of the first attempt and every outcome are recorded without a wait for the sync. Records of the same 10 ms are
 * written and synced together. A lost outcome leaves its run Unknown, never a success. The start of a later attempt
 * waits for the sync, so that the number of attempts is not lost. `onLost` is called if a record that no caller awaits
 * could not be written. After any refused record, every start is refused.
 */
export function openedLedger(
  ledger: Ledger,
  timers: Timers,
  onLost: (runId: string, why: string) => void,
): IntentLedger {
  const gathered: RunRecord[] = [];
  let stopTimer = (): void => undefined;
  const write = (record: RunRecord): void => {
    appendTo(ledger, record).catch((error: unknown) => {
      onLost(record.runId, asError(error).message);
    });
  };
  const flush = (): void => {
    stopTimer();
    for (const record of gathered.splice(0)) write(record);
  };
  const settle = (record: RunRecord): void => {
    gathered.push(record);
    if (gathered.length === 1) stopTimer = timers.after(GATHER_MS, flush);
    else if (gathered.length >= MAX_GATHERED) flush();
  };
  return {
    read: (runId) => ledger.read(runId),
    settle,
    flush,
    append: async (record) => {
      const starts = record.type === 'AttemptStarted';
      const refusal = refusals.get(ledger);
      if (starts && refusal !== undefined) throw refusal;
      if (!starts || record.attempt === 1) {
        settle(record);
        return;
      }
      flush();
      await appendTo(ledger, record);
    },
  };
}
