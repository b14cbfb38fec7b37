/** The result of a conversion: the new documents, and one remark for each part whose meaning changes. Pure. */
import { fieldsAt, isObject, textAt } from '../../kube/fields.ts';
import { type JsonObject, LAST_APPLIED } from '../../kube/object.ts';
import type { DocumentPath } from '../../model/located-document.ts';
import type { Problem } from '../../model/problem.ts';

/** A problem that is located by a path in the document that was read. */
export type Remark = Omit<Problem, 'at' | 'path'> & { readonly path: DocumentPath };

export interface Conversion {
  readonly documents: readonly JsonObject[];
  readonly remarks: readonly Remark[];
}

/** A part of a document, with its path in the document. */
export interface Placed {
  readonly value: Fields;
  readonly path: DocumentPath;
}

/** A conversion of the objects of one other product. */
export interface ManifestConversion {
  readonly isConvertible: (value: Fields) => boolean;
  readonly convert: (object: Placed) => Conversion;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The remark on a part that the new form cannot express. `next`: the next step for the user. */
export function dropped(path: DocumentPath, next: string): Remark {
  const message = `${shownPath(path)} has no counterpart, and is left out.`;
  return { code: 'LHG060', severity: 'warning', path, message, next };
}

/** The remark on a part that has another meaning in the new form. */
export function changed(path: DocumentPath, message: string, next: string): Remark {
  return { code: 'LHG061', severity: 'warning', path, message, next };
}

/** The remark on a part that an API server would still reject after the conversion, until the user corrects it. */
export function refused(path: DocumentPath, message: string): Remark {
  const next = 'Correct the source document, or the converted one.';
  return { code: 'LHG063', severity: 'error', path, message: `${message}.`, next };
}

/** Shows a path: ["spec", "triggers", 0] is "spec.triggers[0]". */
export function shownPath(path: DocumentPath): string {
  const shown = path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? step : `${before}.${step}`;
  }, '');
  return shown === '' ? 'the document' : shown;
}

export function at({ path }: Placed, ...parts: DocumentPath): DocumentPath {
  return [...path, ...parts];
}

/** The map at this key; an empty map if there is none. */
export function part(placed: Placed, key: string): Placed {
  return { value: fieldsAt(placed.value[key]), path: at(placed, key) };
}

/** The maps of the list at this key. */
export function items(placed: Placed, key: string): readonly Placed[] {
  const found = placed.value[key];
  if (!Array.isArray(found)) return [];
  return found.map((item: unknown, index) => ({
    value: fieldsAt(item),
    path: at(placed, key, index),
  }));
}

/** The fields among `names` that are present and not null. */
export function kept(value: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) =>
      value[name] === undefined || value[name] === null ? [] : [[name, value[name]]],
    ),
  );
}

/** The metadata without the fields that a server writes. */
export function plainMetadata(object: Placed): Fields {
  const { annotations, ...metadata } = kept(part(object, 'metadata').value, [
    'name',
    'generateName',
    'namespace',
    'labels',
    'annotations',
  ]);
  const rest = Object.entries(fieldsAt(annotations)).filter(([name]) => name !== LAST_APPLIED);
  return { ...metadata, ...(rest.length > 0 && { annotations: Object.fromEntries(rest) }) };
}

/** True: the document has a content that is no object. An empty document has none. */
export function isNoMap({ value }: { readonly value: unknown }): boolean {
  return value !== null && value !== undefined && !isObject(value);
}

/** Maximum depth of lists within lists. */
const DEPTH_MAX = 4;

/** The objects of the document. A list is replaced by its items. */
export function objectsIn(placed: Placed, depth: number = 0): readonly Placed[] {
  const { value, path } = placed;
  const { items: inner } = value;
  if (Object.keys(value).length === 0) return [];
  if (!textAt(value['kind']).endsWith('List') || !Array.isArray(inner) || depth >= DEPTH_MAX) {
    return [placed];
  }
  return inner.flatMap((item: unknown, index) =>
    objectsIn({ value: fieldsAt(item), path: [...path, 'items', index] }, depth + 1),
  );
}
