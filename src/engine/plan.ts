import type { HookPolicy, Source } from '../model/hook.ts';
import { LifehookError, type Problem } from '../model/problem.ts';
import { MAX_PAUSE_MS } from './retry.ts';

/** Maximum number of steps in a plan. The largest known hook directories contain about a thousand files. */
export const MAX_STEPS = 4_096;

/** Maximum number of retries of one hook. */
export const MAX_RETRY_LIMIT = 1_000;

/** The longest timeout of one attempt, seconds: one week. */
export const MAX_TIMEOUT_SECONDS = 604_800;

/** The last time that a Date can represent, milliseconds since the epoch (ECMA-262, 21.4.1.1). */
const MAX_DATE_MS = 8.64e15;

/**
 * The hooks of one run, in order. Freeze/thaw pairs, rollout stages, OCI stages and pipeline phases are all plans of
 * the same kinds of steps.
 */
export interface Plan {
  readonly runId: string;
  /** The subject of the run, for messages: "container web / createRuntime". */
  readonly title: string;
  readonly steps: readonly Step[];
  /** The lifecycle's own deadline, wall-clock milliseconds; null: none. */
  readonly deadlineAtMs: number | null;
}

/**
 * main: runs in order until one fails.
 * cleanup: runs in order after the main steps have ended. Neither a failure, nor a deadline, nor a cancellation stops
 * it. With `undoes`, it runs only if that main step was ever started.
 */
export type Step = PlannedStep &
  ({ readonly kind: 'main' } | { readonly kind: 'cleanup'; readonly undoes?: string });

/** The engine's view of a hook: its name and its policy. Only the `Act` of the run knows the handler. */
export interface PlannedStep {
  /** Unique within the plan. */
  readonly name: string;
  readonly policy: HookPolicy;
  /** The place where the hook is defined, for messages. */
  readonly source: Source;
}

/**
 * Validates a plan before it runs, so that the engine need not handle invalid ones. Throws a LifehookError with every
 * problem found.
 *
 * Worked example: steps freeze (main), snapshot (main), thaw (cleanup, undoes freeze) are valid. Each of these is a
 * separate problem: thaw before freeze; thaw undoes "freze"; two steps called freeze; the policy Retry without a
 * deadline.
 */
export function makePlan(plan: Plan): Plan {
  const problems = [...findRunProblems(plan), ...findStepProblems(plan)];
  if (problems.length > 0) throw new LifehookError(problems);
  return plan;
}

function findRunProblems({ title, steps, deadlineAtMs }: Plan): Problem[] {
  const problems: Problem[] = [];
  if (steps.length > MAX_STEPS) {
    problems.push({
      code: 'LHE004',
      severity: 'error',
      message: `A run holds at most ${MAX_STEPS} steps; "${title}" has ${steps.length}.`,
      next: 'Split it into several runs.',
    });
  }
  // JSON has no Infinity: it would be recorded as null, which means no deadline.
  if (deadlineAtMs !== null && !(Math.abs(deadlineAtMs) <= MAX_DATE_MS)) {
    problems.push({
      code: 'LHE005',
      severity: 'error',
      message: `A deadline is a time, or null for none; "${title}" has ${deadlineAtMs}.`,
      next: 'Correct the number.',
    });
  }
  return problems;
}

function findStepProblems({ steps, deadlineAtMs }: Plan): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, Step['kind']>();
  for (const step of steps) {
    if (seen.has(step.name)) problems.push(usedTwice(step));
    if (step.kind === 'cleanup' && step.undoes !== undefined && seen.get(step.undoes) !== 'main') {
      problems.push(undoesNothing(step));
    }
    if (step.policy.failurePolicy === 'Retry' && deadlineAtMs === null)
      problems.push(endless(step));
    problems.push(...findNumberProblems(step));
    seen.set(step.name, step.kind);
  }
  return problems;
}

function usedTwice({ name, source }: Step): Problem {
  return located(source, {
    code: 'LHE001',
    message: `The names of a run's steps are unique; "${name}" is used twice.`,
    next: 'Rename one of the two.',
  });
}

function undoesNothing({ name, source, undoes = '' }: Step & { undoes?: string }): Problem {
  return located(source, {
    code: 'LHE002',
    message: `"undoes" must name an earlier main step; "${name}" undoes "${undoes}".`,
    next: 'Correct the name or the order.',
  });
}

function endless({ name, source }: Step): Problem {
  return located(source, {
    code: 'LHE003',
    message: `"${name}" has the failure policy Retry, but its run has no deadline.`,
    next: 'Give the run a deadline, or use Abort with a retry limit.',
  });
}

function findNumberProblems({ name, policy, source }: Step): Problem[] {
  return [...wrongInRetry(policy), ...wrongInTimeout(policy)].map((what) =>
    located(source, {
      code: 'LHE005',
      message: `In "${name}", ${what}.`,
      next: 'Correct the number.',
    }),
  );
}

function wrongInRetry({
  retry: { limit, backoffSeconds, maxBackoffSeconds },
}: HookPolicy): string[] {
  const wrong: string[] = [];
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_RETRY_LIMIT) {
    wrong.push(`retry.limit must be a whole number from 0 to ${MAX_RETRY_LIMIT}, not ${limit}`);
  }
  if (!(backoffSeconds >= 0 && backoffSeconds <= MAX_PAUSE_MS / 1_000)) {
    wrong.push(
      `retry.backoffSeconds must be from 0 to ${MAX_PAUSE_MS / 1_000}, not ${backoffSeconds}`,
    );
  }
  if (maxBackoffSeconds !== undefined && !(maxBackoffSeconds >= backoffSeconds)) {
    const least = `at least retry.backoffSeconds (${backoffSeconds})`;
    wrong.push(`retry.maxBackoffSeconds must be ${least}, not ${maxBackoffSeconds}`);
  }
  return wrong;
}

function wrongInTimeout({ timeoutSeconds }: HookPolicy): string[] {
  if (timeoutSeconds === null) return [];
  if (timeoutSeconds > 0 && timeoutSeconds <= MAX_TIMEOUT_SECONDS) return [];
  return [
    `timeoutSeconds must be more than 0 and at most ${MAX_TIMEOUT_SECONDS}, not ${timeoutSeconds}`,
  ];
}

function located(source: Source, problem: Omit<Problem, 'severity' | 'at'>): Problem {
  if (source.kind === 'object') {
    return { ...problem, severity: 'error', message: `${source.object}: ${problem.message}` };
  }
  const { file, line, column } = source;
  return { ...problem, severity: 'error', at: { file, line, column } };
}
