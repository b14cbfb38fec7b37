/** What is new about a rollout, as lines. Pure. */
import type { HookAttempt } from '../../lifecycles/rollout/kinds.ts';
import type { HookView, RolloutView } from './rollout-view.ts';
import { durationText, endText } from './status-text.ts';

/** null before: everything is new. */
export function newLines(before: RolloutView | null, view: RolloutView): string[] {
  const known = before?.number === view.number ? before : null;
  const head = known === null && view.number > 0 ? [`Rollout ${view.number}`] : [];
  const attempts = view.hooks.flatMap((hook) =>
    attemptLines(
      known?.hooks.find(({ name }) => name === hook.name),
      hook,
    ),
  );
  return [...head, ...phaseLines(known, view), ...attempts.map((line) => `    ${line}`)];
}

function phaseLines(known: RolloutView | null, view: RolloutView): string[] {
  if (known?.phase !== view.phase) return [`  ${phaseText(view)}`];
  if (known.waitsFor === view.waitsFor || !isPodCount(view)) return [];
  return [`    waits for ${view.waitsFor ?? ''}`];
}

function phaseText({ phase, direction, toRevision, waitsFor, failure }: RolloutView): string {
  const to = toRevision === undefined ? '' : ` to revision ${toRevision}`;
  const what = phase === 'Pre' && direction !== undefined ? ` (${direction}${to})` : '';
  if (failure !== undefined) return `${phase}: ${failure.reason}: ${failure.message}`;
  return `${phase}${what}${waitsFor === undefined ? '' : `: waits for ${waitsFor}`}`;
}

/** The other phases tell of their waits by the lines of their hooks. */
function isPodCount({ phase }: RolloutView): boolean {
  return ['NotBegun', 'Draining', 'Progressing', 'Restoring', 'RollingBack'].includes(phase);
}

function attemptLines(before: HookView | undefined, { stage, attempts }: HookView): string[] {
  return attempts.flatMap((attempt) => {
    const known = before?.attempts.find(({ number }) => number === attempt.number);
    const what = `${stage}, attempt ${attempt.number}`;
    const lines: string[] = [];
    if (known === undefined) lines.push(`${what}: pod ${attempt.podName}`);
    if (attempt.waitsFor !== undefined && attempt.waitsFor !== known?.waitsFor) {
      lines.push(`${what}: waits: ${attempt.waitsFor}`);
    }
    if (attempt.outcome !== undefined && known?.outcome === undefined) {
      lines.push(`${what}: ${outcomeText(attempt)}`);
      lines.push(...(attempt.lastLines ?? []).map((line) => `  | ${line}`));
    }
    return lines;
  });
}

function outcomeText(attempt: HookAttempt): string {
  const { outcome = '', startedAt, finishedAt = startedAt, message = '' } = attempt;
  const took = durationText(Date.parse(finishedAt) - Date.parse(startedAt));
  const how = outcome === 'Succeeded' ? '' : ` ${endText(attempt)}`.trimEnd();
  const said = message === '' ? '' : `: ${message.trim()}`;
  return `${outcome}${how} after ${took}${said}`;
}
