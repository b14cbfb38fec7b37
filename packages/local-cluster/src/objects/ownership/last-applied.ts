/**
 * Keeps server-side and client-side apply of kubectl compatible, so that either can follow the other.
 *
 * Client-side apply stores the applied configuration in an annotation. If the manager "kubectl" then uses server-side
 * apply, its old fields do not conflict, and the annotation is updated.
 */
import { type Json, type JsonObject, LAST_APPLIED } from '../../../../../src/kube/object.ts';
import { isJsonObject, isTooDeep, ownField } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import type { FieldConflict } from './change-owners.ts';
import { checkApplied } from './check-applied.ts';
import { compareObjects } from './compare-objects.ts';
import { difference, EMPTY, type FieldSet, hasPath, union } from './field-set.ts';
import { goJson } from './path-element.ts';
import { fieldsOf } from './typed-field-set.ts';

const KUBECTL = 'kubectl';

/** Maximum number of bytes of all annotations of an object, names and values; a real server refuses more. */
const MAX_ANNOTATION_BYTES = 262_144;

interface LastApplied {
  readonly live: JsonObject | undefined;
  readonly manager: string;
  readonly apiVersion: string;
  readonly type: TypeNode;
}

/** Removes from the conflicts those about fields that kubectl itself applied before. */
export function withoutOwnConflicts(
  conflicts: readonly FieldConflict[],
  apply: LastApplied,
): FieldConflict[] {
  if (apply.manager !== KUBECTL || apply.live === undefined) return [...conflicts];
  const own = fieldsLastApplied(apply, apply.live);
  return conflicts.filter(({ path }) => !hasPath(own, path));
}

/** The fields in the annotation whose values in the live object are unchanged. */
function fieldsLastApplied({ apiVersion, type }: LastApplied, live: JsonObject): FieldSet {
  const applied = parse(annotationsOf(live)[LAST_APPLIED]);
  if (applied === undefined || ownField(applied, 'apiVersion') !== apiVersion) return EMPTY;
  if (isTooDeep(applied) || checkApplied(applied, type).length > 0) return EMPTY;
  const { added, modified, removed } = compareObjects(applied, live, type);
  return difference(fieldsOf(applied, type), union(union(added, modified), removed));
}

function parse(text: Json | undefined): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Updates the annotation if it exists, and removes it if it would become too large. */
export function withLastApplied(
  object: JsonObject,
  { manager, applied }: { readonly manager: string; readonly applied: JsonObject },
): JsonObject {
  const annotations = annotationsOf(object);
  if (manager !== KUBECTL || (annotations[LAST_APPLIED] ?? '') === '') return object;
  const renewed = { ...annotations, [LAST_APPLIED]: `${goJson(withoutAnnotation(applied))}\n` };
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return setAnnotations(object, bytesOf(renewed) > MAX_ANNOTATION_BYTES ? others : renewed);
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const annotations = annotationsOf(applied);
  if (!Object.hasOwn(annotations, LAST_APPLIED)) return applied;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return setAnnotations(applied, others);
}

function setAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  const metadata = ownField(object, 'metadata');
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), annotations } };
}

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = ownField(object, 'metadata');
  const annotations = isJsonObject(metadata) ? ownField(metadata, 'annotations') : undefined;
  return isJsonObject(annotations) ? annotations : {};
}

function bytesOf(annotations: JsonObject): number {
  const texts = Object.entries(annotations).map(([name, value]) =>
    typeof value === 'string' ? name + value : name,
  );
  return new TextEncoder().encode(texts.join('')).length;
}
