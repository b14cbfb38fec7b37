/**
 * Drops fields behind a feature gate of the API server that is off.
 *
 * They are dropped from a new object. An object that already uses a field of the gate keeps its fields, and may change
 * them.
 */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { isObject } from '../../../../src/kube/fields.ts';

/**
 * Paths of the fields of one gate, such as "containers[].lifecycle?.stopSignal". `[]` stands for each item of a list. A
 * field with `?` is removed if it becomes empty.
 */
export type GatedFields = readonly string[];

/** Removes gated fields from `part`, which replaces `old`. `groups`: the fields of each gate that is off. */
export function dropGatedFields(
  part: JsonObject,
  old: JsonObject | undefined,
  groups: readonly GatedFields[],
): void {
  for (const paths of groups) {
    if (old !== undefined && paths.some((path) => isUsed(old, path.split('.')))) continue;
    for (const path of paths) drop(part, path.split('.'));
  }
}

function isUsed(value: JsonObject, [step = '', ...rest]: readonly string[]): boolean {
  const { name } = stepOf(step);
  if (rest.length === 0) return value[name] !== undefined;
  return objectsIn(value[name]).some((inner) => isUsed(inner, rest));
}

function drop(value: JsonObject, [step = '', ...rest]: readonly string[]): void {
  const { name, withEmpty } = stepOf(step);
  if (rest.length === 0) {
    delete value[name];
    return;
  }
  for (const inner of objectsIn(value[name])) {
    const wasEmpty = Object.keys(inner).length === 0;
    drop(inner, rest);
    if (withEmpty && !wasEmpty && Object.keys(inner).length === 0) delete value[name];
  }
}

function stepOf(step: string): { name: string; withEmpty: boolean } {
  return { name: step.replace(/\[\]$|\?$/, ''), withEmpty: step.endsWith('?') };
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}
