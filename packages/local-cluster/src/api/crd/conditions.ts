/** The conditions of a definition of a custom kind. Pure. */
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

/** The time changes only with the status. */
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

/** Keeps a definition until the objects of its kind are deleted. */
export const CLEAN_UP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

const PENDING = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;

/**
 * A definition as its deletion marks it: kept until its objects are deleted, which its conditions report. It
 * has no grace period and gets no new generation. A second deletion changes nothing.
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
