/**
 * Interprets rows of rules about the fields of an object.
 *
 * A row has a path and checks, which run in order until one of them finds errors. In a path, `ports[]` stands for each
 * item of a list, and `{a,b}` for both fields. An empty path is the object itself. A missing part of a path reads as
 * undefined.
 */
import { type Field, isObject, listAt } from '../../../../../src/kube/fields.ts';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { type FieldError, forbidden, required } from '../field-error.ts';

/** Place of the value that is checked. `S`: type of the additional facts that the rules of a kind need. */
export interface Place<S> {
  /** The object that has the field. */
  readonly holder: JsonObject;
  /** Innermost list around the value, with the index of its item and the object that has the list. */
  readonly list: readonly Json[];
  readonly index: number;
  readonly owner: JsonObject;
  readonly scope: S;
}

export type Check<S = unknown> = (
  value: Field,
  field: string,
  place: Place<S>,
) => readonly FieldError[];

export type Row<S = unknown> = readonly [path: string, ...checks: Check<S>[]];

/** Checks the fields of an object by rows. An absent object has no error. */
export function fields<S>(...rows: readonly Row<S>[]): Check<S> {
  const all = rows.flatMap(([path, ...checks]) =>
    alternatives(path).map((one) => atPath(one === '' ? [] : one.split('.'), checks)),
  );
  return (value, field, place) => {
    if (!isObject(value)) return [];
    const inside = within(value, place);
    return collect(all, (check) => check(value, field, inside));
  };
}

export function checkObject<S>(
  check: Check<S>,
  object: JsonObject,
  { scope, field = '' }: { readonly scope: S; readonly field?: string },
): readonly FieldError[] {
  return check(object, field, { holder: object, list: [], index: 0, owner: object, scope });
}

function alternatives(path: string): readonly string[] {
  const found = /\{(.*?)\}/.exec(path);
  if (found === null) return [path];
  const [braces, names = ''] = found;
  return names.split(',').flatMap((name) => alternatives(path.replace(braces, name)));
}

/** Applies the checks to the value at a path below the given value. */
function atPath<S>([step, ...rest]: readonly string[], checks: readonly Check<S>[]): Check<S> {
  if (step === undefined) return inTurn(checks);
  const check = atPath(rest, checks);
  const name = step.replace('[]', '');
  const inField = name === step ? check : each(check);
  return (value, field, place) => {
    const holder = isObject(value) ? value : {};
    return inField(holder[name] ?? undefined, below(field, name), within(holder, place));
  };
}

/** Applies the check to each item of a list. */
export function each<S>(check: Check<S>): Check<S> {
  return (value, field, { holder, scope }) => {
    const list = listAt(value);
    return collect(list, (item, index) =>
      check(item, `${field}[${index}]`, { holder, list, index, owner: holder, scope }),
    );
  };
}

/** Copies the fields one by one: a spread is slow, and this runs for every field of every written object. */
function within<S>(holder: JsonObject, place: Place<S>): Place<S> {
  if (holder === place.holder) return place;
  const { list, index, owner, scope } = place;
  return { holder, list, index, owner, scope };
}

function below(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

/** Runs the checks in order until one of them finds errors. */
export function inTurn<S>(checks: readonly Check<S>[]): Check<S> {
  const [only] = checks;
  if (only !== undefined && checks.length === 1) return only;
  return (value, field, place) => {
    for (const check of checks) {
      const errors = check(value, field, place);
      if (errors.length > 0) return errors;
    }
    return [];
  };
}

/** Like `flatMap`, but fast if there are no errors, which is the usual case. */
function collect<T>(
  items: readonly T[],
  errorsOf: (item: T, index: number) => readonly FieldError[],
): readonly FieldError[] {
  if (items.length === 0) return [];
  const found: FieldError[] = [];
  let index = 0;
  for (const item of items) {
    const errors = errorsOf(item, index);
    if (errors.length > 0) found.push(...errors);
    index += 1;
  }
  return found;
}

export interface Alternatives {
  /** Detail of the error if no part is given. */
  readonly none: string;
  /** The detail of the error about each part after the first. */
  readonly more: string;
  /** Names of the parts in order; default: the names of the checks. */
  readonly names?: (value: JsonObject) => readonly string[];
}

/** Checks that an object has exactly one of the parts, and checks that part. */
export function onePart<S>(
  checks: Readonly<Record<string, Check<S>>>,
  { none, more, names = () => Object.keys(checks) }: Alternatives,
): Check<S> {
  return (value, field, place) => {
    const holder = isObject(value) ? value : {};
    const given = names(holder).filter((name) => isObject(holder[name]));
    if (given.length === 0) return [required(field, none)];
    return given.flatMap((name, index) => {
      const where = below(field, name);
      if (index > 0) return [forbidden(where, more)];
      return checks[name]?.(holder[name], where, place) ?? [];
    });
  };
}
