/** The message of a failed hook: which one, its outcome, its output, its definition. */
import type { AttemptResult } from '../../../model/attempt.ts';
import type { Problem } from '../../../model/problem.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';

export interface HookFailure {
  /** "createRuntime hook #1 of container web". */
  readonly name: string;
  readonly placed: PlacedHook;
  readonly attempt: AttemptResult;
  /** warning: it stops nothing. */
  readonly severity: Problem['severity'];
}

export function describeFailure({ name, placed, attempt, severity }: HookFailure): Problem {
  const { hook, source } = placed;
  const { file, line, column } = source.kind === 'file' ? source : nowhere;
  return {
    code: severity === 'error' ? 'LHC220' : 'LHC221',
    severity,
    message: `${name} (${hook.path}) failed. ${attempt.reason} ${saidBy(attempt)}`,
    at: { file, line, column },
    next:
      severity === 'error'
        ? 'Correct the hook or take it away; then create the container again.'
        : 'Fix or remove the hook; the container continues without it.',
  };
}

/** Enough for the hook's last lines; the journal has the whole kept output. */
const shownCharacters = 1000;

function saidBy({ stdout, stderr }: AttemptResult): string {
  const said = [stderr, stdout]
    .map(({ text }) => text.trim().slice(-shownCharacters))
    .filter((text) => text !== '');
  return said.length === 0 ? 'It printed nothing.' : `It printed: "${said.join('\n')}".`;
}

/** OCI hooks are always defined in a file. */
const nowhere = { file: 'config.json', line: 1, column: 1 };
