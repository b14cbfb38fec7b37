/** Records in the ledger that do not come from the engine under test. */
import type { Ledger } from '../../../src/engine/ledger.ts';
import type { Random } from '../random.ts';
import type { Account } from './account.ts';

const HISTORY_WALL_MS = 1_767_000_000_000;

/** Appends settled runs of the past, which a rotation can drop. */
export async function appendHistory(ledger: Ledger, random: Random): Promise<void> {
  const runs = Array.from({ length: random.between(0, 8) }, (_, index) => `past-${index}`);
  await Promise.all(
    runs.flatMap((runId) => [
      ledger.append({
        type: 'RunOpened',
        runId,
        atMs: HISTORY_WALL_MS,
        title: 'a run of the past '.repeat(random.between(1, 30)),
        steps: [],
        deadlineAtMs: null,
      }),
      ledger.append({
        type: 'RunSettled',
        runId,
        atMs: HISTORY_WALL_MS,
        outcome: 'Succeeded',
        reason: 'Every step succeeded or was ignored.',
      }),
    ]),
  );
}

/** Appends a second outcome of an attempt, later than the first and different from it. */
export async function appendLateResults(
  ledger: Ledger,
  random: Random,
  accounts: readonly Account[],
): Promise<void> {
  for (const { runId } of accounts) {
    const records = await ledger.read(runId);
    const ended = records.filter((record) => record.type === 'AttemptSettled');
    const record = ended[random.between(0, Math.max(0, ended.length - 1))];
    if (record === undefined || !random.chance(0.5)) continue;
    const outcome = record.result.outcome === 'Succeeded' ? 'Failed' : 'Succeeded';
    await ledger.append({ ...record, result: { ...record.result, outcome, reason: 'too late' } });
  }
}
