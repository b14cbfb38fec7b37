/**
 * What is wrong with one field of an object, worded as an API server words it: the same texts stand in
 * the answer of the webhook, in a terminal condition of a controller, and in what `plan` prints.
 */
import type { Json } from '../../kube/object.ts';
import { shownText } from '../../model/problem.ts';

export interface FieldProblem {
  readonly type: 'Required' | 'Invalid' | 'NotSupported' | 'Forbidden' | 'Duplicate';
  /** `spec.preAction.exec.command[0]` */
  readonly field: string;
  /** What was received; absent where it says nothing (Required, Forbidden). */
  readonly value?: Json;
  /** What was expected, and what to do. */
  readonly detail: string;
}

export function required(field: string, detail: string): FieldProblem {
  return { type: 'Required', field, detail };
}

export function forbidden(field: string, detail: string): FieldProblem {
  return { type: 'Forbidden', field, detail };
}

/** Of a value that stands in an object as it came from JSON. */
export function invalid(field: string, value: unknown, detail: string): FieldProblem {
  return { type: 'Invalid', field, value: (value ?? null) as Json, detail };
}

export function duplicate(field: string, value: Json): FieldProblem {
  return { type: 'Duplicate', field, value, detail: 'write it once' };
}

export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldProblem {
  const names = supported.map((name) => JSON.stringify(name)).join(', ');
  const shown = (value ?? null) as Json;
  return { type: 'NotSupported', field, value: shown, detail: `supported values: ${names}` };
}

/** Of a received value; a longer one is cut. */
const SHOWN_CHARACTERS_MAX = 200;

const WORDS: Readonly<Record<FieldProblem['type'], string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  Duplicate: 'Duplicate value',
};

/** `spec.expirationSeconds: Invalid value: 0: must be a whole number from 1 to 86400` */
export function fieldProblemMessage({ type, field, value, detail }: FieldProblem): string {
  const shown = value === undefined ? '' : `: ${show(value)}`;
  return `${field}: ${WORDS[type]}${shown}: ${detail}`;
}

/** Several in brackets, as an API server lists them. */
export function fieldProblemsMessage(problems: readonly FieldProblem[]): string {
  const messages = problems.map(fieldProblemMessage);
  return messages.length === 1 ? messages.join('') : `[${messages.join(', ')}]`;
}

/** `spec` and `preAction` make `spec.preAction`; at the top of an object the first is ''. */
export function fieldOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function show(value: Json): string {
  return shownText(JSON.stringify(value), SHOWN_CHARACTERS_MAX);
}
