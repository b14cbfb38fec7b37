/**
 * YAML as a tree with the position of every part, including keys: rewriting it (upgrade, patch, merge) keeps the
 * positions of its parts. Aliases and `<<` are resolved here. The result has no cycles, and does not exceed the limits
 * of size and depth.
 */
import { isAlias, isMap, isSeq } from 'yaml';
import type { Alias, Document, ParsedNode, Scalar, YAMLMap } from 'yaml';

import { parseBounded, parserMessage } from './parse-bounded.ts';
import { type Position, type Problem, shownText } from './problem.ts';

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
  /** The text in the file: "1.10" for the number 1.1. */
  readonly text: string;
  /** Whether the text has no quotes. */
  readonly plain: boolean;
}

export interface ReadTrees {
  /** The tree of each document that can be read and is not empty. */
  readonly trees: readonly Located[];
  readonly problems: readonly Problem[];
}

const MAX_CHARACTERS = 4_194_304;
/** Maximum number of parts of a document; the parts of an alias count each time it is used. */
const MAX_PARTS = 100_000;
const MAX_DEPTH = 100;
const DEEPER = `it is deeper than ${MAX_DEPTH} levels`;

export function readTrees(file: string, text: string): ReadTrees {
  const start = { file, line: 1, column: 1 };
  if (text.length > MAX_CHARACTERS) {
    return {
      trees: [],
      problems: [refused(start, `it has more than ${MAX_CHARACTERS} characters`)],
    };
  }
  const trees: Located[] = [];
  const problems: Problem[] = [];
  // Values that JSON does not have, such as `!!binary`, are read as text.
  const { documents, at, tooDeepAt } = parseBounded({ file, text }, { resolveKnownTags: false });
  if (tooDeepAt !== null) problems.push(refused(tooDeepAt, DEEPER));
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      const [offset] = error.pos;
      const why = parserMessage(error, at(offset));
      problems.push(unreadable(at(offset), why, yamlAdvice(text, offset)));
      continue;
    }
    const reader = { document, place: at, parts: 0, meant: new Map() as Meant };
    try {
      const tree = locate(document.contents as ParsedNode, reader, 0);
      if (tree.kind !== 'scalar' || tree.value !== null) trees.push(tree);
    } catch (cause) {
      if (!(cause instanceof TooMuch)) throw cause;
      problems.push(refused(cause.at, cause.message));
    }
  }
  return { trees, problems };
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
  /** The node to which each alias refers. Cached, since finding it walks the whole document. */
  readonly meant: Meant;
}

type Meant = Map<object, ReturnType<Alias['resolve']>>;

function locate(node: ParsedNode, reader: Reader, depth: number): Located {
  const at = reader.place(node.range[0]);
  count(reader, at, depth);
  if (isAlias(node)) {
    if (!reader.meant.has(node)) reader.meant.set(node, node.resolve(reader.document));
    const meant = reader.meant.get(node);
    if (meant === undefined) throw new TooMuch(at, `*${node.source} refers to no earlier anchor`);
    return locate(meant as ParsedNode, reader, depth + 1);
  }
  if (isMap(node)) return { kind: 'map', at, fields: locateFields(node, reader, depth) };
  if (isSeq(node)) {
    return { kind: 'list', at, items: node.items.map((item) => locate(item, reader, depth + 1)) };
  }
  return locateScalar(node, at);
}

function locateScalar({ type, source, value }: Scalar.Parsed, at: Position): LocatedScalar {
  return {
    kind: 'scalar',
    at,
    value: value as LocatedScalar['value'],
    text: source,
    plain: type === 'PLAIN',
  };
}

function count(reader: Reader, at: Position, depth: number): void {
  reader.parts += 1;
  if (reader.parts > MAX_PARTS) throw new TooMuch(at, `it has more than ${MAX_PARTS} parts`);
  if (depth > MAX_DEPTH) throw new TooMuch(at, DEEPER);
}

function locateFields(
  { items }: YAMLMap.Parsed,
  reader: Reader,
  depth: number,
): ReadonlyMap<string, LocatedField> {
  const fields = new Map<string, LocatedField>();
  const merged: LocatedMap[] = [];
  for (const item of items) {
    const key = locate(item.key, reader, depth + 1);
    const value = item.value === null ? absent(key.at) : locate(item.value, reader, depth + 1);
    const { text: name, plain } = key.kind === 'scalar' ? key : absent(key.at);
    if (plain && name === '<<') merged.push(...mapsOf(value));
    else fields.set(name, { keyAt: key.at, value });
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

/** The value of a key that has no value in the text. It has the position of the key. */
function absent(at: Position): LocatedScalar {
  return { kind: 'scalar', at, value: null, text: '', plain: true };
}

/** The problem of a text that the parser refuses. `message` is the message of the parser, or a replacement for it. */
export function unreadable(
  at: Position,
  message: string,
  next: string = 'Correct the text at this place.',
): Problem {
  return {
    code: 'LHG030',
    severity: 'error',
    at,
    message: `This is neither YAML nor JSON: ${message}.`,
    next,
  };
}

/** The problem with a text that is YAML, but is not read. */
function refused(at: Position, why: string): Problem {
  return { ...unreadable(at, why), message: `This text is not read: ${why}.` };
}

/**
 * Advice for an invalid YAML text: one sentence in the imperative. It covers mistakes that the parser's message does
 * not explain, as in texts that were edited in a word processor or typed from memory. `offset`: where the parser
 * stopped.
 */
export function yamlAdvice(text: string, offset: number): string {
  if (text.includes('\0')) {
    return 'Name a text file in UTF-8: this one has NUL characters, as binary files and texts in UTF-16 have.';
  }
  const [line = '', next = ''] = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n');
  // "-name: value" in one line is valid for the parser, which stops only before the next line. So both lines are
  // checked.
  const dashed = [line, next].map((one) => /^\s*-([A-Za-z][\w-]*:.*)$/.exec(one)?.[1]);
  const item = dashed.find((one) => one !== undefined);
  if (item !== undefined) {
    return `Put a space after the dash of each item of the list: "- ${shownText(item.trim())}".`;
  }
  if (/^ *\t/.test(line)) return 'Indent with spaces: YAML does not allow tabs there.';
  if (/[\u2018\u2019\u201C\u201D]/.test(line)) {
    return 'Write straight quotes, " or \', instead of the typographic ones.';
  }
  return 'Correct the text at this place.';
}
