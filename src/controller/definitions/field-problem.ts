/**
 * A problem with one field of an object, worded as an API server words it. The same text is in the answer of the
 * webhook, in a terminal condition of a controller, and in the output of `plan`.
 */
import type { Json } from '../../kube/object.ts';
import { shownText } from '../../model/problem.ts';

export interface FieldProblem {
  readonly type: 'Required' | 'Invalid' | 'NotSupported' | 'Forbidden' | 'Duplicate';
  /** Example: `spec.preAction.exec.command[0]`. */
  readonly field: string;
  /** The received value; absent if it does not explain the problem (Required, Forbidden). */
  readonly value?: Json;
  /** The expected value, and the fix. */
  readonly detail: string;
}

export function required(field: string, detail: string): FieldProblem {
  return { type: 'Required', field, detail };
}

export function forbidden(field: string, detail: string): FieldProblem {
  return { type: 'Forbidden', field, detail };
}

/** A problem with the type Invalid. `value` is part of an object that was parsed from JSON. */
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

/** Maximum number of characters of a shown value; the rest is cut. */
const SHOWN_CHARACTERS_MAX = 200;

const WORDS: Readonly<Record<FieldProblem['type'], string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  Duplicate: 'Duplicate value',
};

/** Example: `spec.expirationSeconds: Invalid value: 0: must be a whole number from 1 to 86400`. */
export function fieldProblemMessage({ type, field, value, detail }: FieldProblem): string {
  const shown = value === undefined ? '' : `: ${show(value)}`;
  return `${field}: ${WORDS[type]}${shown}: ${detail}`;
}

/** The message for one or more problems. Several are listed in brackets, as an API server does. */
export function fieldProblemsMessage(problems: readonly FieldProblem[]): string {
  const messages = problems.map(fieldProblemMessage);
  return messages.length === 1 ? messages.join('') : `[${messages.join(', ')}]`;
}

/** The path of a field: `spec` and `preAction` give `spec.preAction`. At the top of an object, `parent` is ''. */
export function fieldOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

function show(value: Json): string {
  return shownText(JSON.stringify(value), SHOWN_CHARACTERS_MAX);
}
