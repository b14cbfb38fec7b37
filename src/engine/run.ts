/**
 * Executes one run from its first record to its last: the loop around the pure `step`. After a crash, a call with the
 * same plan continues from the records. For a settled run it only returns the result.
 *
 * ENG-E17 Each ignored failure is a warning of the result. So is an exception of the listener, which is not called
 * again.
 * ENG-E18 A cancellation is recorded at once, and ends a pause between the attempts of a main step.
 *
 * The run rejects when the ledger rejects. It then starts nothing more, since an attempt without a record must not
 * begin (ENG-E1). A failed hook is never a rejection: it is in the result.
 */
import type { AttemptResult, RunOutcome, RunRecord } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import type { CancelSignal, Platform } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { type Act, neverCancelled, bareResult } from './act.ts';
import type { Ledger } from './ledger.ts';
import { makeAttempt } from './make-attempt.ts';
import { openRun, RunLog } from './run-log.ts';
import type { Plan, Step } from './plan.ts';
import { readRecords, type StepState } from './records.ts';
import { type Decision, step } from './step.ts';
import { attemptTimeoutMs } from './retry.ts';

export interface RunOptions {
  /** A plan that `makePlan` has validated. */
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly act: Act;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  /** Called with each record once it is durable, and with live output. If it throws, it is not called again. */
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
    settlement = await runSteps(run);
  } finally {
    stopListening();
  }
  return settle(run, settlement);
}

/** Always ends: every iteration starts one of a bounded number of attempts, waits a bounded time, or settles. */
async function runSteps(run: Run): Promise<Settle> {
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
        // Only a wait for an open attempt has no end time, and here no attempt is open.
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

/**
 * The result of an attempt that must not begin any more: the run may be cancelled, or its deadline may pass, while the
 * intent is recorded (ENG-E7).
 */
function withheld(run: Run, start: Start): AttemptResult | null {
  if (start.step.kind === 'cleanup') return null;
  if (run.signal.aborted) {
    return bareResult('Cancelled', 'the run was cancelled before this attempt began', 0);
  }
  const deadlineAtMs = recordedDeadline(run);
  if (deadlineAtMs !== null && run.platform.clock.nowMs() >= deadlineAtMs) {
    return bareResult('TimedOut', "the run's deadline passed before this attempt began", 0);
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
        log.emit({ type: 'Output', ...key, atMs: platform.clock.nowMs(), stream, text });
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
    const reason = 'the caller requested it';
    log.append({ type: 'CancelRequested', runId: plan.runId, atMs, reason }).catch(() => {
      // The error is not lost: the next append of the loop rejects with it.
    });
  };
  if (signal.aborted) record();
  else signal.addEventListener('abort', record);
  return () => {
    signal.removeEventListener('abort', record);
  };
}

/**
 * Pauses for `ms` milliseconds. A cancellation during the pause ends it early, so that the next decision takes it into
 * account. If the run was already cancelled, the pause is between attempts of a cleanup step and is not shortened.
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
  const warning = `the listener of the run failed and received no more events: ${log.listenerError}`;
  return { ...result, warnings: [...result.warnings, warning] };
}

export interface RunResult {
  readonly outcome: RunOutcome;
  /** The first cause, and then the later ones. */
  readonly reason: string;
  /** Results in plan order; a step that never started has no attempts. */
  readonly steps: readonly StepResult[];
  /** One sentence for each ignored failure. */
  readonly warnings: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly kind: Step['kind'];
  readonly attempts: number;
  /** The result of the last attempt that has ended; null: none has. */
  readonly result: AttemptResult | null;
}

function runResult(
  plan: Plan,
  records: readonly RunRecord[],
  settled: { outcome: RunOutcome; reason: string },
): RunResult {
  const state = readRecords(plan, records);
  const steps = plan.steps.map(({ name, kind }) => {
    const { attempts, last } = state.step(name);
    return { name, kind, attempts, result: last === null ? null : last.result };
  });
  const warnings = plan.steps.flatMap((planned) =>
    ignoredFailure(planned, state.step(planned.name)),
  );
  return { outcome: settled.outcome, reason: settled.reason, steps, warnings };
}

function ignoredFailure({ name, policy }: Step, { last }: StepState): string[] {
  if (policy.failurePolicy !== 'Ignore' || last === null) return [];
  const { outcome, reason } = last.result;
  if (outcome === 'Succeeded') return [];
  return [
    `the failure of ${name} was ignored: attempt ${last.attempt} ended ${outcome}: ${reason}`,
  ];
}
