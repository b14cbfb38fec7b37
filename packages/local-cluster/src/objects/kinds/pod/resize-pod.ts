/**
 * The subresource `resize`: changes cpu and memory of a pod and its containers.
 *
 * No amount may be removed, and the pod must keep its QoS class.
 */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { type FieldError, forbidden, invalid } from '../../field-error.ts';
import { fieldsAt, objectsAt, textAt, textMapAt } from '../../../../../../src/kube/fields.ts';
import { sameMeaning } from '../field-checks.ts';
import { compareQuantities, parseQuantity } from '../../../../../../src/kube/quantity.ts';

const LISTS = ['containers', 'initContainers'];
const RESIZED = ['cpu', 'memory'];
const AMOUNTS = ['requests', 'limits'];
/**
 * Fields of a container that a resize takes from the request. As on a real server, validation later refuses a change of
 * resizePolicy.
 */
const TAKEN = ['resources', 'resizePolicy'];

export function narrowToResize(pod: JsonObject, old: JsonObject): JsonObject {
  const [spec, before] = [fieldsAt(pod, 'spec'), fieldsAt(old, 'spec')];
  const others = LISTS.some((list) => !sameMeaning(namesOf(spec, list), namesOf(before, list)));
  if (others) return pod;
  const { resourceVersion, managedFields } = fieldsAt(pod, 'metadata');
  const metadata = { ...fieldsAt(old, 'metadata'), resourceVersion, managedFields } as JsonObject;
  const narrowed = { ...before, ...pick(spec, ['resources']) };
  for (const list of LISTS.filter((name) => before[name] !== undefined)) {
    narrowed[list] = objectsAt(before, list).map((container, index) => {
      const { resources: _, resizePolicy: __, ...kept } = container;
      return { ...kept, ...pick(objectsAt(spec, list)[index] ?? {}, TAKEN) };
    });
  }
  return { ...pod, metadata, spec: narrowed };
}

export function checkResize(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [fieldsAt(pod, 'spec'), fieldsAt(old, 'spec')];
  const others = LISTS.flatMap((list) => checkNames(spec, before, list));
  const was = qosClass(before);
  return [
    ...(qosClass(spec) === was
      ? []
      : [invalid('spec', was, 'Pod QOS Class may not change as a result of resizing')]),
    ...(others.length > 0 ? others : checkAmounts(spec, before)),
  ];
}

function checkNames(spec: JsonObject, before: JsonObject, list: string): readonly FieldError[] {
  const [now, old] = [namesOf(spec, list), namesOf(before, list)];
  if (now.length !== old.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return now.flatMap((name, index) =>
    name === old[index]
      ? []
      : [
          forbidden(
            `spec.${list}[${index}].name`,
            `${list} may not be renamed or reordered on resize`,
          ),
        ],
  );
}

function checkAmounts(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const restored = withResources(spec, before);
  for (const list of LISTS.filter((name) => spec[name] !== undefined)) {
    const old = objectsAt(before, list);
    restored[list] = objectsAt(spec, list).map((one, at) => withResources(one, old[at] ?? {}));
  }
  const removed = LISTS.flatMap((list) =>
    objectsAt(spec, list).flatMap((container, index) =>
      checkRemoved(container, objectsAt(before, list)[index] ?? {}, `spec.${list}[${index}]`),
    ),
  );
  return [
    ...removed,
    ...checkRemoved(spec, before, 'spec'),
    ...(sameMeaning(restored, before)
      ? []
      : [forbidden('spec', 'only cpu and memory resources are mutable')]),
  ];
}

function checkRemoved(of: JsonObject, before: JsonObject, field: string): readonly FieldError[] {
  return AMOUNTS.filter((kind) => {
    const now = textMapAt(of, 'resources', kind);
    const old = textMapAt(before, 'resources', kind);
    return Object.keys(old).some((name) => now[name] === undefined);
  }).map((kind) => forbidden(`${field}.resources.${kind}`, `resource ${kind} cannot be removed`));
}

/** Copies a pod spec or a container, with the cpu and memory of `before`. */
function withResources(of: JsonObject, before: JsonObject): JsonObject {
  const resources: JsonObject = { ...fieldsAt(of, 'resources') };
  const old = fieldsAt(before, 'resources');
  for (const kind of AMOUNTS) {
    const { cpu: _, memory: __, ...others } = fieldsAt(resources, kind);
    const amounts = { ...others, ...pick(fieldsAt(old, kind), RESIZED) };
    if (Object.keys(amounts).length > 0 || old[kind] !== undefined) resources[kind] = amounts;
    else delete resources[kind];
  }
  const { resources: _, ...kept } = of;
  const none = Object.keys(resources).length === 0 && before['resources'] === undefined;
  return none ? kept : { ...kept, resources };
}

function namesOf(spec: JsonObject, list: string): string[] {
  return objectsAt(spec, list).map((container) => textAt(container, 'name'));
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = object[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Resources that determine the QoS class of a pod. */
const COUNTED = ['cpu', 'memory'];

export function qosClass(spec: JsonObject): string {
  const containers = ['initContainers', 'containers'].flatMap((list) => objectsAt(spec, list));
  // Resources of the whole pod replace those of its containers.
  const ofPod = amountsOf(spec);
  const isSet = ofPod.requests.size + ofPod.limits.size > 0;
  const amounts = isSet ? [ofPod] : containers.map(amountsOf);
  if (amounts.every(({ requests, limits }) => requests.size + limits.size === 0)) {
    return 'BestEffort';
  }
  return amounts.every(({ requests, limits }) => isGuaranteed(requests, limits))
    ? 'Guaranteed'
    : 'Burstable';
}

function amountsOf(of: JsonObject): Record<'requests' | 'limits', ReadonlyMap<string, string>> {
  return { requests: counted(of, 'requests'), limits: counted(of, 'limits') };
}

function isGuaranteed(
  requests: ReadonlyMap<string, string>,
  limits: ReadonlyMap<string, string>,
): boolean {
  return COUNTED.every((name) => {
    const limit = parseQuantity(limits.get(name) ?? '');
    const request = parseQuantity(requests.get(name) ?? limits.get(name) ?? '');
    return limit !== undefined && request !== undefined && compareQuantities(limit, request) === 0;
  });
}

/** The amounts that count for the QoS class. Zero counts as absent. */
function counted(of: JsonObject, kind: string): ReadonlyMap<string, string> {
  const amounts = Object.entries(textMapAt(of, 'resources', kind));
  return new Map(
    amounts.filter(
      ([name, amount]) => COUNTED.includes(name) && (parseQuantity(amount)?.nanos ?? 0n) > 0n,
    ),
  );
}
