/**
 * The ledger of runs whose opening is durable. That record covers the first attempt, so the first attempt's start and
 * every outcome are recorded without waiting: those of 10 ms share a line of the journal and its sync. One that is lost
 * leaves its run Unknown, and never a success. Later attempts wait: how often a hook was tried must not be lost.
 */
import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import type { Timers } from '../../../platform/platform.ts';

export interface IntentLedger extends Ledger {
  /** Records what happened, without waiting for the disk. */
  settle(record: RunRecord): void;
  /** Writes what was gathered. */
  flush(): void;
}

/** How long a record waits for others at most. */
const GATHER_MS = 10;
/** Records that wait for others. */
const MAX_GATHERED = 100;

/** Lists of hooks that run at once share a ledger: what was refused to one of them is heard by all. */
const refusals = new WeakMap<Ledger, Error>();

/** `onLost` gets an outcome that could not be recorded; every later start is refused. */
export function openedLedger(
  ledger: Ledger,
  timers: Timers,
  onLost: (runId: string, why: string) => void,
): IntentLedger {
  const gathered: RunRecord[] = [];
  let stopTimer = (): void => undefined;
  const write = (record: RunRecord): void => {
    ledger.append(record).catch((error: unknown) => {
      const refusal = error instanceof Error ? error : new Error(String(error));
      if (!refusals.has(ledger)) refusals.set(ledger, refusal);
      onLost(record.runId, refusal.message);
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
      await ledger.append(record);
    },
  };
}
