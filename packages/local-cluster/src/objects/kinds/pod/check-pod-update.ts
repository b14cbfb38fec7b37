/**
 * Checks an update of a pod. Only a few fields may change: images, a shorter deadline, more tolerations, fewer
 * scheduling gates.
 */
import type { Json, JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, forbidden, invalid } from '../../field-error.ts';
import { fieldsAt, numberAt, objectsAt, textAt } from '../../../../../../src/kube/fields.ts';
import { sameMeaning } from '../field-checks.ts';

const MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const CONTAINER_LISTS = ['containers', 'initContainers'];

export function checkPodUpdate(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const spec = fieldsAt(pod, 'spec');
  const before = fieldsAt(old, 'spec');
  const resized = CONTAINER_LISTS.filter(
    (list) => objectsAt(spec, list).length !== objectsAt(before, list).length,
  );
  if (resized.length > 0) {
    return resized.map((list) =>
      forbidden(`spec.${list}`, 'pod updates may not add or remove containers'),
    );
  }
  return [
    ...checkDeadline(spec, before),
    ...checkTolerations(spec, before),
    ...(sameMeaning(withoutMutable(spec, before), before) ? [] : [forbidden('spec', MAY_CHANGE)]),
  ];
}

/** A deadline may be set or shortened, but not removed or extended. */
function checkDeadline(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const seconds = numberAt(spec, 'activeDeadlineSeconds');
  const earlier = numberAt(before, 'activeDeadlineSeconds');
  if (earlier === undefined) return [];
  if (seconds === undefined) {
    return [invalid(field, null, 'must not update from a positive integer to nil value')];
  }
  return seconds > earlier
    ? [invalid(field, seconds, 'must be less than or equal to previous value')]
    : [];
}

/** Existing tolerations must stay; only their tolerationSeconds may change. */
function checkTolerations(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const now = objectsAt(spec, 'tolerations');
  const kept = objectsAt(before, 'tolerations').every((old) =>
    now.some((toleration) => sameMeaning(untimed(toleration), untimed(old))),
  );
  return kept
    ? []
    : [
        forbidden(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ];
}

function untimed(toleration: JsonObject): JsonObject {
  return { ...toleration, tolerationSeconds: null };
}

/** The new spec, but with the old values of the fields that may change. In a valid update it equals the old spec. */
function withoutMutable(spec: JsonObject, before: JsonObject): JsonObject {
  const restored: JsonObject = {
    ...spec,
    ...pick(before, ['activeDeadlineSeconds', 'tolerations']),
  };
  for (const list of CONTAINER_LISTS) restored[list] = withImages(spec, before, list);
  if (gatesOnlyWent(spec, before)) Object.assign(restored, pick(before, ['schedulingGates']));
  const grace = numberAt(before, 'terminationGracePeriodSeconds') ?? 0;
  if (grace < 0 && numberAt(spec, 'terminationGracePeriodSeconds') === 1) {
    restored['terminationGracePeriodSeconds'] = grace;
  }
  return restored;
}

function gatesOnlyWent(spec: JsonObject, before: JsonObject): boolean {
  const old = objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name'));
  return objectsAt(spec, 'schedulingGates').every((gate) => old.includes(textAt(gate, 'name')));
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

function withImages(spec: JsonObject, before: JsonObject, list: string): Json[] {
  const old = objectsAt(before, list);
  return objectsAt(spec, list).map((container, index) => ({
    ...container,
    ...pick(old[index] ?? {}, ['image']),
  }));
}
