/**
 * Computes the owners of the number of replicas after a write of the scale.
 *
 * The write is recorded on the Scale object, whose only owned field is the number. The result is then moved to the
 * scaled object. Steps and results are those of a real server.
 *
 * Two results are surprising. An entry that such a write adds has no time. And a write of the scale takes the number
 * from an Update entry even if the number stays the same.
 */
import { groupOf, type JsonObject } from '../../../../../src/kube/object.ts';
import { difference, fieldSetOf, hasPath, isEmpty } from './field-set.ts';
import {
  managedFieldsOf,
  type Manager,
  type Managers,
  readManagers,
  withManagers,
} from './managers.ts';
import { fieldElement, type Path } from './path-element.ts';

export const SCALE_VERSION = 'autoscaling/v1';

const REPLICAS: Path = ['spec', 'replicas'].map(fieldElement);

export interface ScaledObject {
  /** The scaled object before the write, with its owners. */
  readonly live: JsonObject;
  readonly apiVersion: string;
  /** Path of the number of replicas, such as ["spec", "replicas"]. */
  readonly path: readonly string[];
}

/** Returns `scale` with the owners of the number of replicas. */
export function withScaleOwners(scale: JsonObject, scaled: ScaledObject): JsonObject {
  const owners = [...managersOf(scaled.live)].filter(([, manager]) => owns(manager, scaled));
  const fields = fieldSetOf([REPLICAS]);
  return withManagers(
    scale,
    new Map(owners.map(([id, manager]) => [id, { ...manager, apiVersion: SCALE_VERSION, fields }])),
  );
}

/**
 * Returns `next` with the owners of the live object, changed by the owners in `scale`. An Apply entry has the same
 * identity in all versions, so it is kept. An Update entry is replaced by a new one.
 */
export function withOwnersAfterScale(
  next: JsonObject,
  scale: JsonObject,
  scaled: ScaledObject,
): JsonObject {
  const before = managersOf(scaled.live);
  const number = fieldSetOf([scaled.path.map(fieldElement)]);
  const writers = managersOf(scale);
  const after = new Map<string, Manager>();
  for (const [identity, manager] of before) {
    const kept = !owns(manager, scaled) || writers.has(identity);
    const fields = kept ? manager.fields : difference(manager.fields, number);
    if (!isEmpty(fields)) after.set(identity, { ...manager, fields });
  }
  const { apiVersion } = scaled;
  for (const [identity, { time: _time, ...manager }] of writers) {
    if (before.has(identity) || !hasPath(manager.fields, REPLICAS)) continue;
    after.set(identity, { ...manager, apiVersion, fields: number });
  }
  return withManagers(next, after);
}

function managersOf(object: JsonObject): Managers {
  return readManagers(managedFieldsOf(object)) ?? new Map<string, Manager>();
}

function owns({ apiVersion, fields }: Manager, scaled: ScaledObject): boolean {
  const path = scaled.path.map(fieldElement);
  return groupOf(apiVersion) === groupOf(scaled.apiVersion) && hasPath(fields, path);
}
