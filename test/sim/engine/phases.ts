/** The phases of the runs of a simulated machine, derived from their journal. */
import type { Account } from './account.ts';

export const PHASES = [
  'not opened',
  'before an intent',
  'intent written',
  'running',
  'ended, not recorded',
  'settled',
] as const;
export type EnginePhase = (typeof PHASES)[number];

export function phasesIn(accounts: readonly Account[]): readonly EnginePhase[] {
  return [...new Set(accounts.map(phaseOf))];
}

/** The phase of a run, from its running effects and from the records that a power failure now would leave. */
export function phaseOf(account: Account): EnginePhase {
  const records = account.durable();
  if (!records.some(({ type }) => type === 'RunOpened')) return 'not opened';
  if (records.some(({ type }) => type === 'RunSettled')) return 'settled';
  const isOn = account.effects.some(({ answer, process }) => answer === null && process.alive);
  if (isOn) return 'running';
  const open = records.findLast((record) => {
    if (record.type !== 'AttemptStarted') return false;
    const { step, attempt } = record;
    return !records.some(
      (end) => end.type === 'AttemptSettled' && end.step === step && end.attempt === attempt,
    );
  });
  if (open?.type !== 'AttemptStarted') return 'before an intent';
  const { step, attempt } = open;
  const hasBegun = account.effects.some(
    ({ request }) => request.step === step && request.attempt === attempt,
  );
  return hasBegun ? 'ended, not recorded' : 'intent written';
}
