/**
 * ENG-E18: a cancellation is recorded at once, even during an attempt. It ends a pause between attempts of a main step.
 * Call this at the cancellation.
 */
import type { SimProcess } from '../world.ts';
import type { Account } from './account.ts';

/** Milliseconds; far more than a slow disk needs, and less than most pauses. */
const PROMPT_MS = 20_000;

interface Running {
  readonly process: SimProcess;
  /** False after a disk failure, because the journal then accepts no more records. */
  readonly isRecording: () => boolean;
}

export function watchCancellation(account: Account, { process, isRecording }: Running): void {
  const { world, runId } = account;
  const begun = account.effects.length;
  const isOpen = account.effects.some((effect) => {
    return effect.process === process && account.known(effect) === 'Open';
  });
  world.after(PROMPT_MS, () => {
    if (!process.alive || account.runner !== process || !isRecording()) return;
    if (!account.durable().some(({ type }) => type === 'CancelRequested')) {
      world.violate(
        'ENG-E18',
        `the cancellation of ${runId} is not recorded after ${PROMPT_MS} ms`,
      );
    }
    const isCleaned = account.effects.some(({ step }) => step.kind === 'cleanup');
    if (isOpen || isCleaned || account.effects.length > begun) return;
    world.violate('ENG-E18', `${runId} still pauses ${PROMPT_MS} ms after its cancellation`);
  });
}
