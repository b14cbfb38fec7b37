/** Prints problems on stderr, with a code and a next step. */
import process from 'node:process';

import { formatProblem, type Problem } from '../model/problem.ts';
import { type Colour, colourOf, printable } from './terminal-text.ts';

export function reportProblems(problems: readonly Problem[]): void {
  const colour = colourOf(process.stderr);
  for (const problem of problems) {
    const text = printable(formatProblem(problem));
    process.stderr.write(`${colouredProblem(text, problem.severity, colour)}\n`);
  }
}

/** The text of a problem, in which the severity and the next step are highlighted. Pure. */
export function colouredProblem(
  text: string,
  severity: Problem['severity'],
  colour: Colour,
): string {
  const at = text.indexOf(`${severity} LH`);
  const next = text.lastIndexOf(' Next: ');
  const word = colour(severity === 'error' ? 'red' : 'yellow', severity);
  const message = text.slice(at + severity.length, next + 1);
  return `${text.slice(0, at)}${word}${message}${colour('bold', 'Next:')}${text.slice(next + 6)}`;
}
