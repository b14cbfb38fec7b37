/**
 * A ledger whose intents are waited for and whose outcomes are not: "attempt n started" is on the disk before the
 * first byte of its command is sent, and with it everything that was recorded before. Outcomes are on their way there
 * while the next hook is prepared: one that is lost with the power is Unknown, and never a success.
 */
import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord } from '../../../model/attempt.ts';

/** `onLost` hears of an outcome that could not be recorded; the next intent is then refused by the ledger itself. */
export function intentsFirst(ledger: Ledger, onLost: (why: string) => void): Ledger {
  /** Opened, and not recorded yet: an intent follows at once, and they share one line of the journal. */
  let opened: RunRecord[] = [];
  const behind = (record: RunRecord): void => {
    ledger.append(record).catch((error: unknown) => {
      onLost(error instanceof Error ? error.message : String(error));
    });
  };
  const release = (): void => {
    for (const record of opened) behind(record);
    opened = [];
  };
  return {
    read: (runId) => ledger.read(runId),
    append: async (record) => {
      if (record.type === 'RunOpened') {
        opened.push(record);
        return;
      }
      release();
      if (record.type === 'AttemptStarted') await ledger.append(record);
      else behind(record);
    },
  };
}
