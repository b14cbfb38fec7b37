/** As much of the strategic merge patch as the controllers send: conditions by type, owners by uid. */
import type { Json, JsonObject } from '../../../src/kube/object.ts';

const KEYS: Readonly<Record<string, string>> = { conditions: 'type', ownerReferences: 'uid' };

export function mergeStrategically(target: JsonObject, patch: Json): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [name, value] of Object.entries(isObject(patch) ? patch : {})) {
    const before = merged[name] ?? null;
    if (value === null) delete merged[name];
    else if (Array.isArray(value)) merged[name] = mergeList(name, before, value);
    else if (isObject(value))
      merged[name] = mergeStrategically(isObject(before) ? before : {}, value);
    else merged[name] = value;
  }
  return merged;
}

function mergeList(name: string, before: Json, items: readonly Json[]): Json[] {
  const key = KEYS[name];
  if (key === undefined || !Array.isArray(before)) return items.filter((item) => !isDelete(item));
  const merged = new Map(before.map((item) => [keyIn(item, key), item]));
  for (const item of items) {
    const id = keyIn(item, key);
    const old = merged.get(id) ?? null;
    if (isDelete(item)) merged.delete(id);
    else merged.set(id, isObject(old) && isObject(item) ? { ...old, ...item } : item);
  }
  return [...merged.values()];
}

function isDelete(item: Json): boolean {
  return isObject(item) && item['$patch'] === 'delete';
}

function keyIn(item: Json, key: string): Json {
  return isObject(item) ? (item[key] ?? null) : null;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
