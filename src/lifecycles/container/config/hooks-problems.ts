/** The two errors of a `hooks` member, or of a stage in it. */
import type { Problem } from '../../../model/problem.ts';

/** Without its position, which only the reader of the file knows. */
export type UnplacedProblem = Pick<Problem, 'code' | 'message' | 'next'>;

export function namedTwice(name: string, key: string): UnplacedProblem {
  return {
    code: 'LHC202',
    message: `config.json must name "${name}" once and in this spelling, but "${key}" is there as well: runc and crun would disagree on which one counts.`,
    next: `Keep one member called "${name}".`,
  };
}

export function wrongKind(name: string, wanted: string): UnplacedProblem {
  return {
    code: 'LHC203',
    message: `"${name}" in config.json must be ${wanted} or null, but is something else.`,
    next: `Make "${name}" ${wanted}, or remove it.`,
  };
}
