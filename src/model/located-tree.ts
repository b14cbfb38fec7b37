/**
 * YAML as a tree with the position of every part, including keys: rewriting it (upgrade,
 * patch, merge) keeps the positions of its parts. Aliases and `<<` are resolved here; the result has no cycles,
 * and is neither bigger nor deeper than the limits.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Document, Node, Pair, Range, Scalar, YAMLMap } from 'yaml';

import { errorText } from '../platform/error-text.ts';
import type { Position, Problem } from './problem.ts';
import { yamlAdvice } from './yaml-advice.ts';

export type Located = LocatedMap | LocatedList | LocatedScalar;

export interface LocatedMap {
  readonly kind: 'map';
  readonly at: Position;
  readonly fields: ReadonlyMap<string, LocatedField>;
}

export interface LocatedField {
  readonly keyAt: Position;
  readonly value: Located;
}

export interface LocatedList {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly Located[];
}

export interface LocatedScalar {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: string | number | boolean | null;
  /** As in the file: "1.10" for the number 1.1. */
  readonly text: string;
  /** Without quotes. */
  readonly plain: boolean;
}

export interface ReadTrees {
  /** The tree of each readable, non-empty document. */
  readonly trees: readonly Located[];
  readonly problems: readonly Problem[];
}

const MAX_CHARACTERS = 4_194_304;
/** Aliases count each time they are used. */
const MAX_PARTS = 100_000;
const MAX_DEPTH = 100;

export function readTrees(file: string, text: string): ReadTrees {
  const start = { file, line: 1, column: 1 };
  if (text.length > MAX_CHARACTERS) {
    return {
      trees: [],
      problems: [unreadable(start, `it has more than ${MAX_CHARACTERS} characters`)],
    };
  }
  const lines = new LineCounter();
  const trees: Located[] = [];
  const problems: Problem[] = [];
  const parsed = parseDocuments(text, lines);
  if (typeof parsed === 'string') return { trees, problems: [unreadable(start, parsed)] };
  for (const document of parsed) {
    const place = (offset: number): Position => {
      const { line, col } = lines.linePos(offset);
      return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
    };
    const [error] = document.errors;
    if (error !== undefined) {
      const next = yamlAdvice(text, error.pos[0]);
      problems.push({ ...unreadable(place(error.pos[0]), error.message), next });
      continue;
    }
    if (document.contents === null) continue;
    const reader = { document, place, parts: 0, meant: new Map<object, Node | undefined>() };
    try {
      const tree = locate(document.contents, reader, 0);
      if (tree.kind !== 'scalar' || tree.value !== null) trees.push(tree);
    } catch (cause) {
      if (!(cause instanceof TooMuch)) throw cause;
      problems.push(unreadable(cause.at, cause.message));
    }
  }
  return { trees, problems };
}

/** The parser throws if texts nest deeper than the stack permits. */
function parseDocuments(text: string, lines: LineCounter): readonly Document.Parsed[] | string {
  try {
    const parsed = parseAllDocuments(text, { lineCounter: lines, logLevel: 'silent' });
    return Array.isArray(parsed) ? parsed : [];
  } catch (cause) {
    return errorText(cause);
  }
}

class TooMuch extends Error {
  readonly at: Position;

  constructor(at: Position, message: string) {
    super(message);
    this.at = at;
  }
}

interface Reader {
  readonly document: Document.Parsed;
  readonly place: (offset: number) => Position;
  parts: number;
  /** The node of each alias is searched once: the search walks the whole document. */
  readonly meant: Map<object, Node | undefined>;
}

function locate(node: unknown, reader: Reader, depth: number): Located {
  const at = reader.place((node as { range?: Range } | null)?.range?.[0] ?? 0);
  count(reader, at, depth);
  if (isAlias(node)) {
    if (!reader.meant.has(node)) reader.meant.set(node, node.resolve(reader.document));
    const meant = reader.meant.get(node);
    if (meant === undefined) throw new TooMuch(at, `*${node.source} names no anchor before it`);
    return locate(meant, reader, depth + 1);
  }
  if (isMap(node)) return { kind: 'map', at, fields: locateFields(node, reader, depth) };
  if (isSeq(node)) {
    return { kind: 'list', at, items: node.items.map((item) => locate(item, reader, depth + 1)) };
  }
  return isScalar(node)
    ? locateScalar(node, at)
    : { kind: 'scalar', at, value: null, text: '', plain: true };
}

function locateScalar(node: Scalar, at: Position): LocatedScalar {
  const value = scalarOf(node.value);
  const plain = node.type === undefined || node.type === 'PLAIN';
  const text = plain ? (node.source ?? String(value ?? '')) : String(value ?? '');
  return { kind: 'scalar', at, value, text, plain };
}

function count(reader: Reader, at: Position, depth: number): void {
  reader.parts += 1;
  if (reader.parts > MAX_PARTS) throw new TooMuch(at, `it has more than ${MAX_PARTS} parts`);
  if (depth > MAX_DEPTH) throw new TooMuch(at, `it is deeper than ${MAX_DEPTH} levels`);
}

function locateFields(
  node: YAMLMap,
  reader: Reader,
  depth: number,
): ReadonlyMap<string, LocatedField> {
  const fields = new Map<string, LocatedField>();
  const merged: LocatedMap[] = [];
  for (const pair of node.items as readonly Pair[]) {
    const key = locate(pair.key, reader, depth + 1);
    const value = locate(pair.value, reader, depth + 1);
    // An empty value has no position of its own.
    const placed = pair.value === null ? { ...value, at: key.at } : value;
    const name = key.kind === 'scalar' ? key.text : '';
    if (name === '<<' && key.kind === 'scalar' && key.plain) merged.push(...mapsOf(placed));
    else fields.set(name, { keyAt: key.at, value: placed });
  }
  for (const map of merged) {
    for (const [name, field] of map.fields) if (!fields.has(name)) fields.set(name, field);
  }
  return fields;
}

function mapsOf(value: Located): readonly LocatedMap[] {
  const candidates = value.kind === 'list' ? value.items : [value];
  return candidates.filter((one) => one.kind === 'map');
}

function scalarOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  return null;
}

function unreadable(at: Position, message: string): Problem {
  return {
    code: 'LHG030',
    severity: 'error',
    at,
    message: `This is neither YAML nor JSON: ${message.split('\n')[0] ?? ''}`,
    next: 'Correct the text at this place.',
  };
}
