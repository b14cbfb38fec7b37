/** The rules for a held session: with a client it has input lines, without one it has commands (SNAP-R36). */
import { checkCommand, checkWord } from '../../../controller/definitions/check-values.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { SessionAction } from '../action-kinds.ts';
import { STATEMENTS_MAX } from './limits.ts';

export function checkSession(field: string, session: SessionAction): FieldProblem[] {
  const { client, freeze, thaw, ready } = session;
  if (client === undefined) {
    const commands = [
      ...checkCommand(`${field}.freeze`, freeze),
      ...checkCommand(`${field}.thaw`, thaw),
    ];
    return [...commands, ...checkNoReady(`${field}.ready`, ready)];
  }
  return [
    ...checkCommand(`${field}.client`, client),
    ...checkStatements(`${field}.freeze`, freeze),
    ...checkStatements(`${field}.thaw`, thaw),
    ...checkReady(`${field}.ready`, ready),
  ];
}

/** Input lines of a client. */
function checkStatements(field: string, statements: readonly string[]): FieldProblem[] {
  if (statements.every((line) => line.trim() === '')) {
    return [required(field, 'write at least one line for the client')];
  }
  if (statements.length > STATEMENTS_MAX) {
    return [invalid(field, statements.length, `must have at most ${STATEMENTS_MAX} lines`)];
  }
  return statements.flatMap((line, index) => {
    const at = `${field}[${index}]`;
    if (!/[\r\n]/.test(line)) return checkWord(at, line);
    return [invalid(at, line, 'must be one line; make each line an item of the list')];
  });
}

function checkReady(field: string, ready: string | undefined): FieldProblem[] {
  if (ready === undefined || ready.trim() === '') {
    const detail =
      'with a client, say which line of its output means frozen, and let the last freeze line print it';
    return [required(field, detail)];
  }
  return /[\r\n\0]/.test(ready) ? [invalid(field, ready, 'must be one line')] : [];
}

function checkNoReady(field: string, ready: string | undefined): FieldProblem[] {
  if (ready === undefined) return [];
  const detail =
    'only a client prints it: add client, or remove it, since the exit code of freeze says it';
  return [forbidden(field, detail)];
}
