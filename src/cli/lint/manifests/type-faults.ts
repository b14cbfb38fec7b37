/**
 * Finds values that do not match their type, each with its path: unknown fields, with the most similar known name, and
 * values of another type. Pure. The caller bounds the depth of the value.
 */
import type { Json, JsonObject } from '../../../kube/object.ts';
import {
  decodeScalar,
  isJsonObject,
  type MapNode,
  type ScalarNode,
  type StructNode,
  type TypeNode,
} from '../../../../packages/local-cluster/src/index.ts';
import type { DocumentPath } from '../../../model/located-document.ts';
import { nearestWord } from '../../../model/nearest-word.ts';

export type TypeFault =
  | {
      readonly kind: 'unknown';
      readonly path: DocumentPath;
      readonly next: string;
      /** Path of the field that was probably meant; null: none is similar. */
      readonly meant: DocumentPath | null;
    }
  | {
      readonly kind: 'type';
      readonly path: DocumentPath;
      readonly wanted: string;
      readonly received: Json;
      readonly next: string;
    }
  | { readonly kind: 'young'; readonly path: DocumentPath; readonly since: number };

/** The first minor version in which a type has the field; undefined: all supported versions have it. */
export type FieldSince = (typeName: string, field: string) => number | undefined;

/** Maximum number of faults: users read no more, and a generator repeats one mistake many times. */
const FAULTS_MAX = 50;

export function typeFaults(value: Json, type: TypeNode, since: FieldSince): readonly TypeFault[] {
  const faults: TypeFault[] = [];
  visit(value, type, { path: [], around: [], faults, since });
  return faults;
}

interface Place {
  readonly path: DocumentPath;
  /** The enclosing structs, from the outermost to the innermost. */
  readonly around: readonly { readonly type: StructNode; readonly path: DocumentPath }[];
  readonly faults: TypeFault[];
  readonly since: FieldSince;
}

function visit(value: Json, type: TypeNode, place: Place): void {
  if (value === null || place.faults.length >= FAULTS_MAX) return;
  switch (type.kind) {
    case 'any':
      return;
    case 'scalar':
      visitScalar(value, type, place);
      return;
    case 'struct':
    case 'map':
      if (isJsonObject(value)) visitMap(value, type, place);
      else wrongType(value, 'a map', place);
      return;
    case 'list':
      if (Array.isArray(value)) visitParts([...value.entries()], type.items, place);
      else wrongType(value, 'a list', place);
      return;
    default:
      return type satisfies never;
  }
}

function visitMap(value: JsonObject, type: StructNode | MapNode, place: Place): void {
  if (type.kind === 'struct') visitFields(value, type, place);
  else visitParts(Object.entries(value), type.values, place);
}

function visitParts(
  parts: readonly (readonly [string | number, Json])[],
  type: TypeNode,
  place: Place,
): void {
  for (const [step, part] of parts) visit(part, type, { ...place, path: [...place.path, step] });
}

function visitFields(value: JsonObject, type: StructNode, place: Place): void {
  const around = [...place.around, { type, path: place.path }];
  for (const [name, part] of Object.entries(value)) {
    if (place.faults.length >= FAULTS_MAX) return;
    const path = [...place.path, name];
    const field = type.field(name);
    if (field !== undefined) {
      const since = place.since(type.typeName, name);
      if (since !== undefined) place.faults.push({ kind: 'young', path, since });
      visit(part, field, { ...place, path, around });
    } else if (!type.preserveUnknown) {
      place.faults.push({ kind: 'unknown', path, ...meantField(name, around) });
    }
  }
}

type Meant = Pick<Extract<TypeFault, { kind: 'unknown' }>, 'meant' | 'next'>;

function meantField(name: string, around: Place['around']): Meant {
  const here = around.at(-1);
  if (here === undefined) return { meant: null, next: 'Remove it.' };
  const near = nearestWord(name, here.type.fieldNames);
  if (near !== null) return { meant: [...here.path, near], next: `Did you mean ${near}?` };
  const outer = around.toReversed().find(({ type }) => type.field(name) !== undefined);
  const inner = innerPath(name, here.type, SEARCH_DEPTH);
  const home = outer?.path ?? (inner === null ? null : [...here.path, ...inner]);
  if (home !== null) {
    return { meant: [...home, name], next: `It belongs to ${shown(home)}: move it there.` };
  }
  const known = here.type.fieldNames;
  const isMany = known.length === 0 || known.length > SHOWN_MAX;
  const next = isMany ? 'Remove it, or correct its name.' : `Known here: ${known.join(', ')}.`;
  return { meant: null, next };
}

/** Levels. `containers` in a Deployment's spec is two levels off; a wider search would find unrelated fields. */
const SEARCH_DEPTH = 2;
const SHOWN_MAX = 12;

function innerPath(name: string, type: StructNode, depth: number): DocumentPath | null {
  if (depth === 0) return null;
  const inner = type.fieldNames.flatMap((field) => {
    const node = type.field(field);
    return node?.kind === 'struct' && field !== 'status' ? [{ field, node }] : [];
  });
  const direct = inner.find(({ node }) => node.field(name) !== undefined);
  if (direct !== undefined) return [direct.field];
  for (const { field, node } of inner) {
    const found = innerPath(name, node, depth - 1);
    if (found !== null) return [field, ...found];
  }
  return null;
}

function shown(path: DocumentPath): string {
  if (path.length === 0) return 'the top of the object';
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

function visitScalar(value: Json, { scalar }: ScalarNode, place: Place): void {
  const decoded = decodeScalar(value, scalar);
  if (decoded.kind === 'value') return;
  const isText = typeof value === 'string' && WANTED[scalar].isText;
  wrongType(value, isText ? WANTED[scalar].form : WANTED[scalar].name, place);
}

interface Wanted {
  readonly name: string;
  /** The text format that the type requires. */
  readonly form: string;
  readonly isText: boolean;
}

const text = (name: string, form = name): Wanted => ({ name, form, isText: true });
const other = (name: string): Wanted => ({ name, form: name, isText: false });

const WANTED: Readonly<Record<ScalarNode['scalar'], Wanted>> = {
  string: text('a string'),
  boolean: other('true or false'),
  int32: other('a whole number'),
  int64: other('a whole number'),
  number: other('a number'),
  intOrString: other('a whole number or a string'),
  quantity: text('a quantity such as 500m or 2Gi'),
  time: text('a time, as 2026-01-31T08:00:00Z'),
  microTime: text('a time, as 2026-01-31T08:00:00.000000Z'),
  bytes: text('a string', 'base64'),
};

function wrongType(received: Json, wanted: string, { path, faults }: Place): void {
  faults.push({ kind: 'type', path, wanted, received, next: typeAdvice(received, wanted) });
}

function typeAdvice(received: Json, wanted: string): string {
  if (wanted === 'a list') return 'Begin each item with "- ".';
  if (wanted === 'base64') return 'Encode it, or write it under stringData.';
  if (typeof received === 'string') {
    const meant = /number/u.test(wanted) ? /^-?\d+$/u : /^(?:true|false)$/u;
    return meant.test(received) ? `Remove the quotes: ${received}.` : `Write ${wanted}.`;
  }
  const isPlain = typeof received === 'number' || typeof received === 'boolean';
  return isPlain && wanted === 'a string' ? `Put it in quotes: "${received}".` : `Write ${wanted}.`;
}
