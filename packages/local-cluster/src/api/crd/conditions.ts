/** The conditions of a CustomResourceDefinition. Pure. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { at, fieldsAt, objectsAt, textAt, textsAt } from '../../../../../src/kube/fields.ts';

export interface Condition {
  readonly type: 'NamesAccepted' | 'Established' | 'Terminating';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(
  definition: JsonObject,
  type: Condition['type'],
): JsonObject | undefined {
  return objectsAt(definition, 'status', 'conditions').find((one) => textAt(one, 'type') === type);
}

export function isTrueCondition(definition: JsonObject, type: Condition['type']): boolean {
  return textAt(conditionOf(definition, type) ?? {}, 'status') === 'True';
}

/** Sets a condition; lastTransitionTime changes only if the status changes. */
export function withCondition(
  definition: JsonObject,
  condition: Condition,
  now: string,
): JsonObject {
  const before = conditionOf(definition, condition.type);
  const sameStatus = before !== undefined && textAt(before, 'status') === condition.status;
  const next = {
    type: condition.type,
    status: condition.status,
    lastTransitionTime: sameStatus ? textAt(before, 'lastTransitionTime') : now,
    reason: condition.reason,
    message: condition.message,
  };
  const all = objectsAt(definition, 'status', 'conditions');
  const conditions =
    before === undefined ? [...all, next] : all.map((one) => (one === before ? next : one));
  return { ...definition, status: { ...fieldsAt(definition, 'status'), conditions } };
}

/** Finalizer that keeps a definition until the objects of its kind are deleted. */
export const CLEAN_UP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

const PENDING = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;

/**
 * Marks a definition for deletion: adds the finalizer and the condition Terminating. The definition gets no grace
 * period and no new generation. A second deletion changes nothing.
 */
export function beginCleanUp(marked: JsonObject, old: JsonObject): JsonObject {
  if (textAt(old, 'metadata', 'deletionTimestamp') !== '') return marked;
  const { deletionGracePeriodSeconds: _none, ...metadata } = fieldsAt(marked, 'metadata');
  const others = textsAt(metadata, 'finalizers').filter((name) => name !== CLEAN_UP_FINALIZER);
  const generation = at(old, 'metadata', 'generation');
  const held = {
    ...metadata,
    ...(generation === undefined ? {} : { generation }),
    finalizers: [...others, CLEAN_UP_FINALIZER],
  };
  const now = textAt(metadata, 'deletionTimestamp');
  return withCondition({ ...marked, metadata: held }, PENDING, now);
}

export function withoutCleanUp(definition: JsonObject): JsonObject {
  const metadata = fieldsAt(definition, 'metadata');
  const finalizers = textsAt(metadata, 'finalizers').filter((name) => name !== CLEAN_UP_FINALIZER);
  const { finalizers: _before, ...others } = metadata;
  return {
    ...definition,
    metadata: finalizers.length === 0 ? others : { ...others, finalizers },
  };
}

/**
 * The accepted names of a definition: each requested name that no other definition of the group has, else the name that
 * was accepted before.
 */
interface NameDecision {
  readonly names: JsonObject;
  readonly condition: Condition;
}

/**
 * Decides which names of a definition are accepted. `others`: all definitions of the same group; they may include
 * `definition`.
 */
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
