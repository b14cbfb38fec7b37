/** What a lint prints for people: a line for each problem, and how many there are, also where there are none. Pure. */
import { formatProblem, type Problem } from '../model/problem.ts';

/** `subject` is what was looked at, where there may be several: "web.yaml". */
export function lintText(problems: readonly Problem[], subject?: string): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = `${counted(errors, 'error')}, ${counted(problems.length - errors, 'warning')}`;
  const summary = subject === undefined ? counts : `${subject}: ${counts}`;
  return [...problems.map(formatProblem), summary, ''].join('\n');
}

/** 1 → "1 error", 2 → "2 errors". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
