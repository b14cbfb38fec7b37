/**
 * Rules for names, lists of names, and labels. References stay in their own namespace, so no name has a "/" (SNAP-R1).
 */
import { duplicate, type FieldProblem, invalid, required } from './field-problem.ts';
import { LABEL_CHARACTERS_MAX, NAME_CHARACTERS_MAX } from './value-limits.ts';

const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The name of an object: a DNS subdomain. `what` describes the object: "the template". */
export function checkObjectName(field: string, name: string, what: string): FieldProblem[] {
  if (name === '') return [required(field, `name ${what}`)];
  if (name.includes('/')) {
    const detail = `${what} must be in the namespace of this object: write the name without a namespace`;
    return [invalid(field, name, detail)];
  }
  if (DNS_SUBDOMAIN.test(name) && name.length <= NAME_CHARACTERS_MAX) return [];
  const detail = `must be the name of ${what}: lower-case letters, digits, "-" and ".", at most ${NAME_CHARACTERS_MAX} characters, with a letter or digit at both ends and on both sides of each "."`;
  return [invalid(field, name, detail)];
}

export function checkContainerName(field: string, name: string): FieldProblem[] {
  return checkDnsLabel(field, name, 'a container');
}

export function checkVolumeName(field: string, name: string): FieldProblem[] {
  return checkDnsLabel(field, name, 'a volume');
}

function checkDnsLabel(field: string, name: string, what: string): FieldProblem[] {
  const shaped = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
  if (shaped && name.length <= LABEL_CHARACTERS_MAX) return [];
  const detail = `must be the name of ${what}: lower-case letters, digits and "-", at most ${LABEL_CHARACTERS_MAX} characters, with a letter or digit at both ends`;
  return [invalid(field, name, detail)];
}

/**
 * Reports each item that is equal to an earlier item of the list. `fieldAt` returns the path of the item with this
 * index.
 */
export function checkOnce(
  names: readonly string[],
  fieldAt: (index: number) => string,
): FieldProblem[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [duplicate(fieldAt(index), name)] : [],
  );
}

/** Checks each key and each value of labels. Node selectors, and the keys of annotations, have the same rules. */
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

/** Checks the key of a label: `example.com/name` or `name`. */
export function checkLabelKey(field: string, key: string): FieldProblem[] {
  const parts = key.split('/');
  const name = parts.pop() ?? '';
  const [prefix] = parts;
  const named = WORD.test(name) && name.length <= LABEL_CHARACTERS_MAX;
  const prefixed =
    prefix === undefined || (DNS_SUBDOMAIN.test(prefix) && prefix.length <= NAME_CHARACTERS_MAX);
  if (named && prefixed && parts.length <= 1) return [];
  const detail = `must be a name of letters, digits, "-", "_" and ".", at most ${LABEL_CHARACTERS_MAX} characters, with a letter or digit at both ends, after an optional prefix: a DNS name and "/"`;
  return [invalid(field, key, detail)];
}

/** Checks the value of a label, which may be empty. */
export function checkLabelValue(field: string, value: string): FieldProblem[] {
  if (value === '' || (WORD.test(value) && value.length <= LABEL_CHARACTERS_MAX)) return [];
  const detail = `must be empty, or have only letters, digits, "-", "_" and ".", at most ${LABEL_CHARACTERS_MAX} characters, and begin and end with a letter or digit`;
  return [invalid(field, value, detail)];
}
