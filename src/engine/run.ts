/**
 * Executes one run from its first record to its last: the loop around the pure `step`. After a crash, a call with the
 * same plan continues from the records. For a settled run it only returns the result.
 *
 * It rejects when the ledger rejects, and then starts nothing more: what is not recorded must not happen (ENG-E1). A
 * failure of a hook never rejects: it is in the result.
 */
import type { AttemptResult } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { type Act, neverCancelled } from './act.ts';
import { bareResult } from './bare-result.ts';
import type { Ledger } from './ledger.ts';
import { makeAttempt } from './make-attempt.ts';
import { openRun } from './open-run.ts';
import type { Plan } from './plan.ts';
import { readRecords } from './records.ts';
import { RunLog } from './run-log.ts';
import { type RunResult, runResult } from './run-result.ts';
import { type Decision, step } from './step.ts';
import { attemptTimeoutMs } from './timeout.ts';

export interface RunOptions {
  /** A plan that `makePlan` has validated. */
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly act: Act;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Called with each record once it is durable, and with live output. After a throw it is not called again. */
  readonly emit?: (event: RunEvent) => void;
  readonly signal?: CancelSignal;
}

interface Run extends RunOptions {
  readonly log: RunLog;
  readonly signal: CancelSignal;
}

type Start = Extract<Decision, { do: 'start' }>;
type Settle = Extract<Decision, { do: 'settle' }>;

export async function runPlan(options: RunOptions): Promise<RunResult> {
  const { plan, platform } = options;
  const log = await RunLog.open(plan.runId, options);
  const run = { ...options, log, signal: options.signal ?? neverCancelled };
  await openRun(plan, log, platform.clock);
  const stopListening = recordCancellation(run);
  let settlement: Settle;
  try {
    settlement = await goOn(run);
  } finally {
    stopListening();
  }
  return settle(run, settlement);
}

/** Terminates: every iteration starts one of a bounded number of attempts, waits a bounded time, or settles. */
async function goOn(run: Run): Promise<Settle> {
  const { plan, log, platform } = run;
  for (;;) {
    await log.flushed();
    const nowMs = platform.clock.nowMs();
    const decision = step({ plan, records: log.records, nowMs });
    switch (decision.do) {
      case 'settle':
        return decision;
      case 'start':
        await attempt(run, decision, nowMs);
        break;
      case 'wait':
        // A wait without a time waits for an open attempt, and here none is open.
        if (decision.untilMs === null) throw new Error(`lost track of a run: ${decision.reason}`);
        await pause(run, decision.untilMs - nowMs);
        break;
    }
  }
}

async function attempt(run: Run, start: Start, decidedAtMs: number): Promise<void> {
  const { plan, log, platform } = run;
  const key = { runId: plan.runId, step: start.step.name, attempt: start.attempt };
  await log.append({ type: 'AttemptStarted', atMs: decidedAtMs, ...key });
  const result = withheld(run, start) ?? (await act(run, start));
  const atMs = platform.clock.nowMs();
  await log.append({ type: 'AttemptSettled', atMs, ...key, result });
}

/** The run may be cancelled, or its deadline may pass, while the intent is being recorded (ENG-E7). */
function withheld(run: Run, start: Start): AttemptResult | null {
  if (start.step.kind === 'cleanup') return null;
  if (run.signal.aborted) {
    return bareResult('Cancelled', 'the run was cancelled before it began', 0);
  }
  const deadlineAtMs = recordedDeadline(run);
  if (deadlineAtMs !== null && run.platform.clock.nowMs() >= deadlineAtMs) {
    return bareResult('TimedOut', "the run's deadline passed before it began", 0);
  }
  return null;
}

function act(run: Run, { step: planned, attempt: number }: Start): Promise<AttemptResult> {
  const { plan, log, platform } = run;
  const key = { runId: plan.runId, step: planned.name, attempt: number };
  const at = { deadlineAtMs: recordedDeadline(run), nowMs: platform.clock.nowMs() };
  return makeAttempt({
    act: run.act,
    platform,
    request: {
      ...key,
      timeoutMs: attemptTimeoutMs(planned, at),
      signal: planned.kind === 'cleanup' ? neverCancelled : run.signal,
      onOutput: (stream, text) => {
        log.tell({ type: 'Output', ...key, atMs: platform.clock.nowMs(), stream, text });
      },
    },
  });
}

function recordedDeadline({ plan, log }: Run): number | null {
  return readRecords(plan, log.records).deadlineAtMs;
}

/** Records a cancellation as soon as it is requested, also during an attempt. */
function recordCancellation({ plan, log, platform, signal }: Run): () => void {
  const record = (): void => {
    const { cancelled, settled } = readRecords(plan, log.records);
    if (cancelled !== null || settled !== null) return;
    const atMs = platform.clock.nowMs();
    const reason = 'its caller asked for it';
    log.append({ type: 'CancelRequested', runId: plan.runId, atMs, reason }).catch(() => {
      // Not lost: the loop's next append rejects with the same error.
    });
  };
  if (signal.aborted) record();
  else signal.addEventListener('abort', record);
  return () => {
    signal.removeEventListener('abort', record);
  };
}

/**
 * A cancellation during the pause ends it early, so that the next decision sees it. If the run was cancelled before,
 * this is a pause between attempts of a cleanup step, and it is not shortened.
 */
function pause({ platform, signal }: Run, ms: number): Promise<void> {
  return sleep(platform.timers, ms, signal.aborted ? neverCancelled : signal);
}

async function settle(run: Run, { outcome, reason }: Settle): Promise<RunResult> {
  const { plan, log, platform } = run;
  if (readRecords(plan, log.records).settled === null) {
    const atMs = platform.clock.nowMs();
    await log.append({ type: 'RunSettled', runId: plan.runId, atMs, outcome, reason });
  }
  const result = runResult(plan, log.records, { outcome, reason });
  if (log.listenerError === null) return result;
  const warning = `the run's listener broke and was told nothing more: ${log.listenerError}`;
  return { ...result, warnings: [...result.warnings, warning] };
}
