/** Finds the paths at which two values differ, such as "spec.containers[0].image". Pure. */
import { isObject } from '../../kube/fields.ts';
import type { Json } from '../../kube/object.ts';

const PATHS_MAX = 50;
const DEPTH_MAX = 20;

interface Pair {
  readonly path: string;
  readonly depth: number;
  readonly one: Json | undefined;
  readonly other: Json | undefined;
}

/**
 * The first such paths, in the order of the fields; empty: the values are equal. Absent, null and empty values are
 * equal.
 */
export function changedPaths(before: Json | undefined, after: Json | undefined): string[] {
  const paths: string[] = [];
  const left: Pair[] = [{ path: '', depth: 0, one: before, other: after }];
  for (
    let pair = left.shift();
    pair !== undefined && paths.length < PATHS_MAX;
    pair = left.shift()
  ) {
    const { one, other, path, depth } = pair;
    if (isSame(one, other)) continue;
    const fields = fieldsOf(one, other);
    if (fields === null || depth === DEPTH_MAX) paths.push(path.replace(/^\./, ''));
    else left.unshift(...fields.map((field) => below(pair, field)));
  }
  return paths;
}

function below({ one, other, path, depth }: Pair, { name, step }: Field): Pair {
  return {
    one: partOf(one, name),
    other: partOf(other, name),
    path: path + step,
    depth: depth + 1,
  };
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other) || (isEmpty(one) && isEmpty(other));
}

interface Field {
  readonly name: string;
  /** The text that is appended to the path, such as ".image" or "[0]". */
  readonly step: string;
}

function fieldsOf(one: Json | undefined, other: Json | undefined): Field[] | null {
  if (Array.isArray(one) && Array.isArray(other)) {
    const length = Math.max(one.length, other.length);
    return Array.from({ length }, (_, at) => ({ name: `${at}`, step: `[${at}]` }));
  }
  if (!isObject(one) || !isObject(other)) return null;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].toSorted().map((name) => ({ name, step: `.${name}` }));
}

function partOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(name)];
  return isObject(value) ? value[name] : undefined;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
