/** Formats a rollout as text. Pure. */
import type { HookAttempt } from '../../lifecycles/rollout/kinds.ts';
import { textTable } from '../terminal-text.ts';
import type { HookView, RolloutView } from './rollout-view.ts';

/** The text of `lifehook rollout status`. `nowMs`: wall clock, for the duration of the current phase. */
export function statusText(view: RolloutView, nowMs: number): string {
  const { hooks, conditions, next } = view;
  const text = [headText(view, nowMs)];
  const rows = hooks.flatMap((hook) => hookRows(hook, nowMs));
  if (rows.length > 0) {
    const heading = ['HOOK', 'RESULT', 'ATTEMPT', 'POD', 'OUTCOME', 'EXIT', 'REASON', 'TOOK'];
    text.push('\n', textTable(heading, rows));
  }
  for (const hook of hooks)
    text.push(...hook.attempts.map((attempt) => attemptText(hook, attempt)));
  if (conditions.length > 0) {
    const heading = ['CONDITION', 'STATUS', 'REASON', 'MESSAGE'];
    const lines = conditions.map((one) => [one.type, one.status, one.reason, one.message]);
    text.push('\n', textTable(heading, lines));
  }
  if (next !== undefined) text.push(`\nNext: ${next}\n`);
  return text.join('');
}

/** Examples: "1.2 s", "3 min 5 s" */
export function durationText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** How an attempt ended: 'exit 1 (Error)', 'signal 9'; '': it has not ended. */
export function endText({ exitCode, signal, reason }: HookAttempt): string {
  const how =
    signal === undefined ? (exitCode === undefined ? '' : `exit ${exitCode}`) : `signal ${signal}`;
  return [how, reason === undefined ? '' : `(${reason})`].filter((part) => part !== '').join(' ');
}

function headText(view: RolloutView, nowMs: number): string {
  const { number, phase, direction, fromRevision = '-', toRevision = '-' } = view;
  const since = view.finishedAt ?? view.phaseStartedAt;
  const age = since === undefined ? '' : `, for ${durationText(nowMs - Date.parse(since))}`;
  const lines = [
    `Deployment ${view.namespace}/${view.deployment}`,
    `  rollout    ${number === 0 ? 'none' : number}`,
    `  phase      ${phase}${view.reason === undefined ? '' : ` (${view.reason})`}${age}`,
  ];
  if (direction !== undefined) {
    lines.push(`  direction  ${direction}, from revision ${fromRevision} to ${toRevision}`);
  }
  if (view.waitsFor !== undefined) lines.push(`  waits for  ${view.waitsFor}`);
  if (view.failure !== undefined) {
    lines.push(`  failure    ${view.failure.reason}: ${view.failure.message}`);
  }
  lines.push(`  gate       ${view.gate} (prove it: ${command(view, 'check')})`);
  return `${lines.join('\n')}\n`;
}

function hookRows(hook: HookView, nowMs: number): string[][] {
  const { stage, phase, attempts } = hook;
  if (attempts.length === 0) return [[stage, phase, '-', '-', '-', '-', hook.reason ?? '-', '-']];
  return attempts.map(({ number, podName, outcome, exitCode, signal, ...attempt }) => [
    stage,
    phase,
    `${number}`,
    podName,
    outcome ?? (attempt.waitsFor === undefined ? 'running' : 'waiting'),
    signal === undefined ? `${exitCode ?? '-'}` : `signal ${signal}`,
    attempt.reason ?? attempt.waitsFor?.split(':', 1)[0] ?? '-',
    durationText(
      (attempt.finishedAt === undefined ? nowMs : Date.parse(attempt.finishedAt)) -
        Date.parse(attempt.startedAt),
    ),
  ]);
}

/** An attempt with the message and output of the hook itself. */
function attemptText(
  { stage }: HookView,
  { number, message, lastLines = [] }: HookAttempt,
): string {
  const parts: string[] = [];
  if (lastLines.length > 0) {
    parts.push(`\nLast lines of ${stage}, attempt ${number}:\n`);
    parts.push(...lastLines.map((line) => `  ${line}\n`));
  }
  if (message !== undefined && message !== '') {
    parts.push(`\nTermination message of ${stage}, attempt ${number}: ${message.trimEnd()}\n`);
  }
  return parts.join('');
}

type Known = Omit<RolloutView, 'next'>;

/** null: the user has nothing to do. */
export function nextStep(view: Known): string | null {
  return STEPS[view.phase]?.(view) ?? null;
}

const ifTroubled = (view: Known): string | null =>
  isTroubled(view) ? `To give it up: ${command(view, 'abort')}` : null;

const STEPS: Partial<Record<RolloutView['phase'], (view: Known) => string | null>> = {
  NotBegun: (view) =>
    `If this does not change, check whether a controller runs: ${command(view, 'check')}`,
  Pre: ifTroubled,
  Draining: ifTroubled,
  Mid: ifTroubled,
  Post: ifTroubled,
  Held: (view) =>
    `Apply a corrected template, or try this one again: ${command(view, 'retry')}. ${toGiveUp(view)}`,
  RolledBack: (view) =>
    `Apply a corrected template, or try this one again: ${command(view, 'retry')}`,
  Failed: (view) =>
    view.failure?.reason === 'ProgressDeadlineExceeded'
      ? 'The new pods do not become available: see `kubectl describe pods`, and apply a corrected template.'
      : `The new pods run. Apply a corrected template, or run the hooks again: ${command(view, 'retry')}`,
};

/** How a user gives up the rollout. A first rollout cannot be rolled back, because it has no earlier template. */
function toGiveUp({ released, namespace, deployment }: Known): string {
  if (released > 0) return 'To give it up, apply the template that runs.';
  return `Nothing was released before it, so no pod runs. To give it up: kubectl delete deployment ${deployment} -n ${namespace}`;
}

/** A command line for this rollout, such as `lifehook rollout retry web -n shop`. */
export function command(
  { namespace, deployment }: Pick<Known, 'namespace' | 'deployment'>,
  verb: string,
): string {
  return `lifehook rollout ${verb} ${deployment} -n ${namespace}`;
}

function isTroubled({ phase, hooks }: Known): boolean {
  if (phase === 'Draining') return true;
  const attempts = hooks.find(({ stage }) => stage === phase.toLowerCase())?.attempts ?? [];
  return attempts.some(({ outcome }) => outcome !== undefined && outcome !== 'Succeeded');
}
