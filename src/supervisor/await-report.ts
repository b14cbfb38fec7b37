/** Waits for a supervisor's report of the start. */
import type { Exit, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import type { SupervisorReport } from './records.ts';

/** Milliseconds between two looks. No time limit: a runtime runs its hooks first, and they may have no deadline. */
const REPORT_POLL_MS = 5;

/** The supervisor exited without a report. */
export interface BrokenSupervisor {
  readonly kind: 'broken';
  readonly because: string;
}

export interface Awaited {
  readonly timers: Timers;
  /** The exit of the supervisor; rejects if it could not be started. */
  readonly exited: Promise<Exit>;
  /** Reads the report; null: there is none yet. */
  readonly look: () => Promise<SupervisorReport | null>;
}

export async function awaitReport({
  timers,
  exited,
  look,
}: Awaited): Promise<SupervisorReport | BrokenSupervisor> {
  const ended = { because: '' };
  void endOf(exited).then((because) => Object.assign(ended, { because }));
  for (;;) {
    // Read after the exit was seen, so that a last report is not missed.
    const { because } = ended;
    const report = await look();
    if (report !== null) return report;
    if (because !== '') return { kind: 'broken', because };
    await sleep(timers, REPORT_POLL_MS);
  }
}

async function endOf(exited: Promise<Exit>): Promise<string> {
  try {
    const { code, signal } = await exited;
    return `it ended with ${signal ?? `code ${code ?? '?'}`}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
