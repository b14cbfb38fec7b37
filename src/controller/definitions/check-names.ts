/** Rules for names and lists of names. References stay in their own namespace, so no name has a "/" (SNAP-R1). */
import { duplicate, type FieldProblem, invalid, required } from './field-problem.ts';
import { LABEL_CHARACTERS_MAX, NAME_CHARACTERS_MAX } from './value-limits.ts';

/** The name of an object: a DNS subdomain. `what` describes the object: "the template". */
export function checkObjectName(field: string, name: string, what: string): FieldProblem[] {
  if (name === '') return [required(field, `name ${what}`)];
  if (name.includes('/')) {
    const detail = `${what} is looked for in this object's own namespace: write the name alone`;
    return [invalid(field, name, detail)];
  }
  const shaped = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
  if (shaped && name.length <= NAME_CHARACTERS_MAX) return [];
  const detail = `must be the name of ${what}: lower-case letters, digits, "-" and ".", at most ${NAME_CHARACTERS_MAX} characters`;
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
  const detail = `must be the name of ${what}: lower-case letters, digits and "-", at most ${LABEL_CHARACTERS_MAX} characters`;
  return [invalid(field, name, detail)];
}

/** Reports each item that is in the list before. `fieldAt` returns the path of the item with this index. */
export function checkOnce(
  names: readonly string[],
  fieldAt: (index: number) => string,
): FieldProblem[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [duplicate(fieldAt(index), name)] : [],
  );
}
