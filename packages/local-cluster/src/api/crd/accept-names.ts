/**
 * Which of its requested names a definition gets: those that no other definition of its group already has.
 * A definition keeps the names it has. Pure.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldsAt, textAt, textsAt } from '../../../../../src/kube/fields.ts';
import type { Condition } from './conditions.ts';

export interface NameDecision {
  readonly names: JsonObject;
  readonly condition: Condition;
}

/** `others`: all definitions of the same group, with or without this one. */
export function acceptNames(definition: JsonObject, others: readonly JsonObject[]): NameDecision {
  const asked = fieldsAt(definition, 'spec', 'names');
  const had = fieldsAt(definition, 'status', 'acceptedNames');
  const taken = takenNames(others);
  const names: JsonObject = { ...had };
  let fault: { readonly reason: string; readonly message: string } | undefined;
  for (const { field, among, reason } of SINGLE_NAMES) {
    const wanted = textAt(asked, field);
    if (wanted !== textAt(had, field) && taken[among].has(wanted)) {
      fault = { reason, message: `${JSON.stringify(wanted)} is already in use` };
    } else {
      names[field] = wanted;
    }
  }
  const short = textsAt(asked, 'shortNames').filter(
    (name) => !textsAt(had, 'shortNames').includes(name) && taken.resources.has(name),
  );
  if (short.length > 0) fault = { reason: 'ShortNamesConflict', message: inUse(short) };
  else setList(names, asked, 'shortNames');
  setList(names, asked, 'categories');
  return { names, condition: conditionFor(fault) };
}

const SINGLE_NAMES = [
  { field: 'plural', among: 'resources', reason: 'PluralConflict' },
  { field: 'singular', among: 'resources', reason: 'SingularConflict' },
  { field: 'kind', among: 'kinds', reason: 'KindConflict' },
  { field: 'listKind', among: 'kinds', reason: 'ListKindConflict' },
] as const;

function takenNames(others: readonly JsonObject[]): {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
} {
  const accepted = others.map((other) => fieldsAt(other, 'status', 'acceptedNames'));
  const all = (fields: readonly string[]): ReadonlySet<string> =>
    new Set(
      accepted
        .flatMap((names) => fields.map((field) => textAt(names, field)))
        .filter((name) => name !== ''),
    );
  const short = accepted.flatMap((names) => textsAt(names, 'shortNames'));
  return {
    resources: new Set([...all(['plural', 'singular']), ...short]),
    kinds: all(['kind', 'listKind']),
  };
}

function inUse(names: readonly string[]): string {
  const each = names.map((name) => `${JSON.stringify(name)} is already in use`);
  return each.length === 1 ? (each[0] ?? '') : `[${each.join(', ')}]`;
}

function setList(names: JsonObject, asked: JsonObject, field: string): void {
  const list = textsAt(asked, field);
  if (list.length === 0) delete names[field];
  else names[field] = [...list];
}

function conditionFor(fault: { reason: string; message: string } | undefined): Condition {
  const type = 'NamesAccepted';
  if (fault !== undefined) return { type, status: 'False', ...fault };
  return { type, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
}
