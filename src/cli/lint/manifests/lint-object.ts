/** One object of a manifest with the places of its fields, and findings about it. Pure. */
import { fieldsAt, textAt } from '../../../kube/fields.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DocumentPath, LocatedDocument } from '../../../model/located-document.ts';
import type { Position, Problem } from '../../../model/problem.ts';
import { objectsIn, shownPath } from '../../convert/conversion.ts';

export interface LintObject {
  readonly file: string;
  readonly value: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  /** The value of `name`; if there is none, that of `generateName`. */
  readonly name: string;
  /** '': no namespace is set. */
  readonly namespace: string;
  readonly positionOf: (path: DocumentPath) => Position;
  readonly positionOfKey: (path: DocumentPath) => Position;
}

export interface Wrong extends Omit<Problem, 'at' | 'path'> {
  readonly path: DocumentPath;
  /** True: the finding is placed at the name of the field; otherwise at its value. */
  readonly isKey?: boolean;
}

export function lintObjects(file: string, document: LocatedDocument): readonly LintObject[] {
  return objectsIn({ value: fieldsAt(document.value), path: [] }).map(({ value, path }) => {
    const { name, generateName, namespace } = fieldsAt(value['metadata']);
    return {
      file,
      value: value as JsonObject,
      apiVersion: textAt(value['apiVersion']),
      kind: textAt(value['kind']),
      name: textAt(name) === '' ? textAt(generateName) : textAt(name),
      namespace: textAt(namespace),
      positionOf: (inner) => document.positionOf([...path, ...inner]),
      positionOfKey: (inner) => document.positionOfKey([...path, ...inner]),
    };
  });
}

/** A finding whose message begins with the object, such as "Deployment web: …". */
export function findingOf(object: LintObject, { path, isKey, message, ...wrong }: Wrong): Problem {
  return {
    ...wrong,
    at: isKey === true ? object.positionOfKey(path) : object.positionOf(path),
    ...(path.length === 0 ? {} : { path: shownPath(path) }),
    message: `${titleOf(object)}: ${message}`,
  };
}

/** Examples: "Deployment web"; "Object web" if it has no kind. */
export function titleOf({ kind, name }: Pick<LintObject, 'kind' | 'name'>): string {
  const what = kind === '' ? 'Object' : kind;
  return name === '' ? what : `${what} ${name}`;
}

/**
 * Parses the path of a field as servers write it: `spec.containers[0].name`, `metadata.labels[app.kubernetes.io/name]`.
 * Names may contain dots: the fields of the object show where a name ends.
 */
export function pathOfField(value: unknown, field: string): DocumentPath {
  const path: (string | number)[] = [];
  let [part, rest] = [value, field];
  while (rest !== '') {
    const [step, after] = nextStep(part, rest);
    path.push(step);
    part = asPart(part, step);
    rest = after;
  }
  return path;
}

function nextStep(part: unknown, rest: string): readonly [string | number, string] {
  const { inner, after = '' } = /^\[(?<inner>[^\]]*)\]\.?(?<after>.*)$/su.exec(rest)?.groups ?? {};
  if (inner !== undefined) return [/^\d+$/u.test(inner) ? Number(inner) : inner, after];
  const known = Object.keys(fieldsAt(part))
    .filter((name) => rest === name || rest.startsWith(`${name}.`) || rest.startsWith(`${name}[`))
    .toSorted((one, other) => other.length - one.length);
  const step = known[0] ?? /^[^.[]*/u.exec(rest)?.[0] ?? rest;
  if (step === '') return [rest, ''];
  return [step, rest.slice(step.length).replace(/^\./u, '')];
}

function asPart(part: unknown, step: string | number): unknown {
  if (Array.isArray(part)) return part[Number(step)];
  return fieldsAt(part)[String(step)];
}
