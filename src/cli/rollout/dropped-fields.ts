/**
 * Removes the fields that `kubectl apply` would remove: those that the manifest of the last apply had, and that the new
 * one lacks. A server-side apply keeps them, since the client-side apply owns them. Pure.
 */
import { isObject } from '../../kube/fields.ts';
import type { Json, JsonObject } from '../../kube/object.ts';

/** The lists of a Deployment that a patch merges by item, with the field that identifies an item. */
const MERGE_KEYS: ReadonlyMap<string, string> = new Map([
  ['containers', 'name'],
  ['env', 'name'],
  ['hostAliases', 'ip'],
  ['imagePullSecrets', 'name'],
  ['initContainers', 'name'],
  ['ports', 'containerPort'],
  ['resourceClaims', 'name'],
  ['topologySpreadConstraints', 'topologyKey'],
  ['volumeDevices', 'devicePath'],
  ['volumeMounts', 'mountPath'],
  ['volumes', 'name'],
]);

interface Manifests {
  /** The manifest of the last apply. */
  readonly last: JsonObject;
  readonly next: JsonObject;
}

/** Returns the same value if nothing has to be removed. */
export function withoutDropped(object: JsonObject, { last, next }: Manifests): JsonObject {
  const entries = Object.entries(object);
  const kept = entries
    .filter(([name]) => name in next || !(name in last))
    .map(([name, value]): [string, Json] => [name, valueWithout(name, value, { last, next })]);
  const isSame =
    kept.length === entries.length && kept.every(([name, value]) => value === object[name]);
  return isSame ? object : Object.fromEntries(kept);
}

function valueWithout(name: string, value: Json, { last, next }: Manifests): Json {
  const [before, after] = [last[name], next[name]];
  if (isObject(value) && isObject(before) && isObject(after))
    return withoutDropped(value, { last: before, next: after });
  const key = MERGE_KEYS.get(name);
  if (key === undefined || !Array.isArray(value)) return value;
  return itemsWithout(value, { key, before: itemsBy(key, before), after: itemsBy(key, after) });
}

interface KeyedItems {
  readonly key: string;
  readonly before: ReadonlyMap<Json | undefined, JsonObject>;
  readonly after: ReadonlyMap<Json | undefined, JsonObject>;
}

function itemsWithout(items: Json[], { key, before, after }: KeyedItems): Json {
  const kept = items.flatMap((item): Json[] => {
    if (!isObject(item)) return [item];
    const [last, next] = [before.get(item[key]), after.get(item[key])];
    if (last === undefined) return [item];
    return next === undefined ? [] : [withoutDropped(item, { last, next })];
  });
  const isSame = kept.length === items.length && kept.every((item, index) => item === items[index]);
  return isSame ? items : kept;
}

function itemsBy(key: string, list: Json | undefined): Map<Json | undefined, JsonObject> {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(items.map((item) => [item[key], item]));
}
