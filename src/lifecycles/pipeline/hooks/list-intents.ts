/**
 * The intents of a list of hooks, made durable together: one wait for the disk instead of one per hook
 * (docs/decisions/pipeline-intents.md).
 *
 *  I1 The opening of a run is durable before its hook is started. A run that was opened and has no end may have begun:
 *     it is Unknown, and never a success.
 *  I2 Of a group, each run that has not begun when the list ends is settled as Cancelled.
 *  I3 Once a record was refused, no further hook starts, also of lists that share the ledger.
 */
import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord, StepOutline } from '../../../model/attempt.ts';
import { callbackType } from '../events/hook-counts.ts';
import { decideHook } from './decide.ts';
import { type IntentLedger, openedLedger } from './opened-ledger.ts';
import type { PipelineHook } from './model.ts';
import type { HookList, HookRunContext } from './run-context.ts';

/** Runs that are opened together: one line of the journal, and so many at most are Unknown after a power failure. */
export const MAX_GROUP = 64;

export class ListIntents {
  readonly #list: HookList;
  readonly #context: Context;
  readonly #ledger: IntentLedger;
  /** Opened, and not begun. */
  readonly #opened = new Map<PipelineHook, string>();

  constructor(list: HookList, context: Context) {
    this.#list = list;
    this.#context = context;
    this.#ledger = openedLedger(context.ledger, context.platform.timers, (runId, why) => {
      const message = `The outcome of run ${runId} could not be recorded: ${why}.`;
      context.tell({ type: 'Warning', code: 'LHL310', message });
    });
  }

  /** For runs whose opening is durable already. */
  get ledger(): Ledger {
    return this.#ledger;
  }

  /** The id of the hook's run, when its opening is durable. Rejects when the ledger does. */
  async open(hook: PipelineHook): Promise<string> {
    if (!this.#opened.has(hook)) await this.#openFrom(hook);
    const runId = this.#opened.get(hook) ?? '';
    this.#opened.delete(hook);
    return runId;
  }

  /** The list is over: no hook of it begins any more. */
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
    // Appended in one turn, so that they share a line and its sync.
    await Promise.all(group.map((record) => this.#context.ledger.append(record)));
  }
}

type Context = Pick<HookRunContext, 'ledger' | 'nextRunId' | 'platform' | 'tell'>;

const NOT_RUN = 'the list of hooks ended before it began';

/** Of cleanup: a cancellation does not reach it. */
export function isCleanup({ when }: PipelineHook): boolean {
  return when === 'onError' || when === 'finally';
}

/** What the run of a hook is called in the journal, on the timeline and in events. */
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
