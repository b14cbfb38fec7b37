import { textEnd } from '../../../model/cut-text.ts';
import type { HookAttempt, Stage } from '../kinds.ts';

/** Maximum number of characters of output in a sentence; the last ones are kept. */
const OUTPUT_CHARACTERS_MAX = 300;

/**
 * Describes an attempt for users, without a full stop: "attempt 2 of the pre hook failed with exit code 3 (Error): no
 * such table".
 */
export function describeAttempt(stage: Stage, attempt: HookAttempt): string {
  const what = `attempt ${attempt.number} of the ${stage} hook ${ENDINGS[attempt.outcome ?? 'open']}`;
  const output = outputOf(attempt);
  return `${what}${howOf(attempt)}${output === '' ? '' : `: ${output}`}`;
}

const ENDINGS: Readonly<Record<NonNullable<HookAttempt['outcome']> | 'open', string>> = {
  Succeeded: 'succeeded',
  Failed: 'failed',
  TimedOut: 'ran out of time',
  Aborted: 'was aborted',
  Unknown: 'has an unknown outcome',
  open: 'runs',
};

function howOf({ exitCode, signal, reason, outcome }: HookAttempt): string {
  if (outcome === 'Succeeded') return '';
  const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  const by = signal === undefined ? '' : ` by signal ${signal}`;
  return `${code}${by}${reason === undefined ? '' : ` (${reason})`}`;
}

/** The output of an attempt. The termination message of the hook takes precedence over its last output. */
function outputOf({ message, lastLines = [] }: HookAttempt): string {
  const said = message ?? lastLines.findLast((line) => line.trim() !== '') ?? '';
  return textEnd(said.trim(), OUTPUT_CHARACTERS_MAX).replace(/\.$/, '');
}
