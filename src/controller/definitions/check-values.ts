/** Rules for single values that a schema cannot express, each with a sentence that states the expected value. */
import { type FieldProblem, invalid, required } from './field-problem.ts';
import { PORT_MAX, PORT_NAME_CHARACTERS_MAX } from './value-limits.ts';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export function secondsRule({ min, max }: Bounds): string {
  return `must be a whole number of seconds from ${min} to ${max}, without quotes or a unit`;
}

/** Checks an argv: a program and its arguments, which are passed without a shell. */
export function checkCommand(field: string, command: readonly string[]): FieldProblem[] {
  if (command[0] === '') {
    return [required(field, 'name the program, then each argument as a separate string')];
  }
  return command.flatMap((word, index) => checkWord(`${field}[${index}]`, word));
}

/** Typographic quotes. The shell, YAML and databases treat them as letters. */
const CURLY_QUOTES = /[\u2018\u2019\u201C\u201D]/;

/** Checks one argument of a command, or one input line of a client. */
export function checkWord(field: string, word: string): FieldProblem[] {
  if (word.includes('\0')) return [invalid(field, word, 'must have no NUL character')];
  if (!/^[\u2018\u201C\u201D].*[\u2018\u2019\u201C\u201D]$/s.test(word)) return [];
  const straight = word.replaceAll(new RegExp(CURLY_QUOTES, 'g'), '');
  const detail = `the typographic quotes would become part of the argument; write ${JSON.stringify(straight)} with straight quotes`;
  return [invalid(field, word, detail)];
}

/** Checks a port: a number, or the name of one of the container's ports. */
export function checkPort(field: string, port: number | string): FieldProblem[] {
  const good = typeof port === 'number' ? isPortNumber(port) : isPortName(port);
  const detail = `must be a number from 1 to ${PORT_MAX} without quotes, or the name of a port of the container`;
  return good ? [] : [invalid(field, port, detail)];
}

function isPortNumber(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= PORT_MAX;
}

/** Whether the text is a port name in Kubernetes, that is, an IANA service name. */
function isPortName(name: string): boolean {
  const shaped = /^[a-z0-9](-?[a-z0-9])*$/.test(name) && /[a-z]/.test(name);
  return shaped && name.length <= PORT_NAME_CHARACTERS_MAX;
}
