/** Rules for the keys and values of labels; they also apply to keys of annotations and to node selectors. */
import { type FieldProblem, invalid } from './field-problem.ts';
import { LABEL_CHARACTERS_MAX, NAME_CHARACTERS_MAX } from './value-limits.ts';

/** Checks each key and each value of a map. */
export function checkLabels(
  field: string,
  labels: Readonly<Record<string, string>>,
): FieldProblem[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...checkLabelKey(field, key),
    ...checkLabelValue(`${field}[${key}]`, value),
  ]);
}

const WORD = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** `example.com/name` or `name`. */
export function checkLabelKey(field: string, key: string): FieldProblem[] {
  const parts = key.split('/');
  const name = parts.pop() ?? '';
  const [prefix] = parts;
  const named = WORD.test(name) && name.length <= LABEL_CHARACTERS_MAX;
  const prefixed =
    prefix === undefined || (DOMAIN.test(prefix) && prefix.length <= NAME_CHARACTERS_MAX);
  if (named && prefixed && parts.length <= 1) return [];
  const detail = `must be a name of letters, digits, "-", "_" and ".", at most ${LABEL_CHARACTERS_MAX} characters, with a DNS name and "/" before it if need be`;
  return [invalid(field, key, detail)];
}

function checkLabelValue(field: string, value: string): FieldProblem[] {
  if (value === '' || (WORD.test(value) && value.length <= LABEL_CHARACTERS_MAX)) return [];
  const detail = `must be empty, or letters, digits, "-", "_" and ".", at most ${LABEL_CHARACTERS_MAX} characters that begin and end with a letter or digit`;
  return [invalid(field, value, detail)];
}
