/** Waits for what a supervisor reports of the start, as whoever started it. */
import type { Exit, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import type { SupervisorReport } from './records.ts';

/** Without a limit: a runtime that the supervisor started runs hooks first, and they may have no deadline. */
const REPORT_POLL_MS = 5;

/** It ended without a report. */
export interface BrokenSupervisor {
  readonly kind: 'broken';
  readonly because: string;
}

export interface Awaited {
  readonly timers: Timers;
  /** Of the supervisor; rejects when it could not be started. */
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
    // Read after the end was noticed, so that a last report is not missed.
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
