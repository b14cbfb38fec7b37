/**
 * YAML and JSON files as values with positions. One file may contain several
 * documents; an unreadable one is a problem with a position, and the other documents are still read.
 */
import {
  type Document,
  type DocumentOptions,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type ParseOptions,
  parseAllDocuments,
  type SchemaOptions,
} from 'yaml';

import { errorText } from '../platform/error-text.ts';
import type { Position, Problem } from './problem.ts';
import { yamlAdvice } from './yaml-advice.ts';
import { type DocumentText, splitDocuments } from './split-documents.ts';

export interface LocatedDocument {
  readonly value: unknown;
  /** The position of the part at this path, or of the nearest existing part around it. */
  positionOf(path: DocumentPath): Position;
  /** The position of the name of the field at this path; else as above. */
  positionOfKey(path: DocumentPath): Position;
}

export type DocumentPath = readonly (string | number)[];

export interface ReadDocuments {
  readonly documents: readonly LocatedDocument[];
  readonly problems: readonly Problem[];
}

/** Maximum characters of a file: a manifest is never longer. */
const MAX_CHARACTERS = 16_777_216;

/** The limit of the parser for expanding aliases. */
const MAX_ALIASES = 100;

/** Maximum nesting of maps and lists. */
const MAX_DEPTH = 200;

/**
 * The rules for numbers and words. `kubectl`: as in that program, so that 0644 is 420 and yes is true; a date and
 * 1:30 stay text.
 */
export type Dialect = 'core' | 'kubectl';

export function readDocuments(
  file: string,
  text: string,
  dialect: Dialect = 'core',
): ReadDocuments {
  if (text.length > MAX_CHARACTERS) return tooLong(file, text.length);
  const documents: LocatedDocument[] = [];
  const problems: Problem[] = [];
  const parse = lastParsed(file, dialect);
  for (const part of splitDocuments(text)) {
    parse(part).forEach(({ document, at }, index) => {
      const read = readDocument(document, at, part.text);
      if ('problem' in read) problems.push(read.problem);
      else documents.push(located(read.value, () => parse(part)[index]));
    });
  }
  return { documents, problems };
}

/** Caches one tree: positions are queried document by document. */
function lastParsed(file: string, dialect: Dialect): (part: DocumentText) => readonly Parsed[] {
  let last: { readonly part: DocumentText; readonly parsed: readonly Parsed[] } | undefined;
  return (part) => {
    if (last?.part !== part) last = { part, parsed: parseText({ file, part, dialect }) };
    return last.parsed;
  };
}

interface Source {
  readonly file: string;
  readonly part: DocumentText;
  readonly dialect: Dialect;
}

interface Parsed {
  readonly document: Document.Parsed;
  readonly at: (offset: number) => Position;
}

function parseText({ file, part, dialect }: Source): readonly Parsed[] {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: part.line + Math.max(line, 1), column: Math.max(col, 1) };
  };
  const parsed = parseAllDocuments(part.text, { lineCounter: lines, ...DIALECTS[dialect] });
  return (Array.isArray(parsed) ? parsed : []).map((document) => ({ document, at }));
}

type ReadDocument = { readonly value: unknown } | { readonly problem: Problem };

function readDocument(document: Document.Parsed, at: Parsed['at'], text: string): ReadDocument {
  const [error] = document.errors;
  if (error !== undefined) return { problem: problemOfError(error, at, text) };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return isTooDeep(value) ? { problem: tooDeep(at(document.range[0])) } : { value };
  } catch (cause) {
    const place = at(document.range[0]);
    if (cause instanceof RangeError) return { problem: tooDeep(place) };
    const message = errorText(cause);
    return {
      problem: /alias count/u.test(message) ? tooManyAliases(place) : unreadable(place, message),
    };
  }
}

/** `again` parses the document again: positions of most documents are never queried. */
function located(value: unknown, again: () => Parsed | undefined): LocatedDocument {
  const place = (path: DocumentPath, isKey: boolean): Position => {
    const parsed = again();
    if (parsed === undefined) throw new Error('the same text has fewer documents than before');
    const { document, at } = parsed;
    const find = (part: DocumentPath): unknown => document.getIn(part, true);
    const offset = (isKey ? keyOffset(find, path) : undefined) ?? offsetOf(find, path);
    return at(offset ?? document.range[0]);
  };
  return {
    value,
    positionOf: (path) => place(path, false),
    positionOfKey: (path) => place(path, true),
  };
}

type Find = (path: DocumentPath) => unknown;

function keyOffset(find: Find, path: DocumentPath): number | undefined {
  const around = find(path.slice(0, -1));
  if (!isMap(around)) return undefined;
  const name = String(path.at(-1));
  const pair = around.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  return isNode(pair?.key) ? (pair.key.range?.[0] ?? undefined) : undefined;
}

/** Without recursion: the value may be too deep for it. */
function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((part): unknown[] =>
      typeof part === 'object' && part !== null ? Object.values(part) : [],
    );
  }
  return false;
}

const DIALECTS: Readonly<Record<Dialect, DocumentOptions & ParseOptions & SchemaOptions>> = {
  core: { logLevel: 'silent' },
  kubectl: {
    logLevel: 'silent',
    schema: 'yaml-1.1',
    merge: true,
    customTags: (tags) =>
      tags.filter(
        (tag) =>
          typeof tag === 'string' || (tag.format !== 'TIME' && !tag.tag.endsWith(':timestamp')),
      ),
  },
};

function offsetOf(find: Find, path: DocumentPath): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = find(path.slice(0, length));
    if (isNode(node) && node.range !== null && node.range !== undefined) return node.range[0];
  }
  return undefined;
}

function problemOfError(
  { code, message, pos }: Document.Parsed['errors'][number],
  at: Parsed['at'],
  text: string,
): Problem {
  const [offset] = pos;
  if (/call stack/u.test(message)) return tooDeep(at(offset));
  if (code === 'DUPLICATE_KEY') return duplicateKey(at(offset), text.slice(offset));
  return { ...unreadable(at(offset), message), next: yamlAdvice(text, offset) };
}

function unreadable(at: Position, message: string): Problem {
  return {
    code: 'LHG030',
    severity: 'error',
    at,
    message: `This is neither YAML nor JSON: ${(message.split('\n')[0] ?? '').replace(/:$/u, '')}.`,
    next: 'Correct the text at this place.',
  };
}

function duplicateKey(at: Position, text: string): Problem {
  const [key = ''] = /^[^:\s]+/u.exec(text) ?? [];
  return {
    code: 'LHM032',
    severity: 'error',
    at,
    message: `The key ${key} is in this map twice.`,
    next: 'Remove one of the two.',
  };
}

function tooDeep(at: Position): Problem {
  return {
    code: 'LHM030',
    severity: 'error',
    at,
    message: `Maps and lists are nested in each other more than ${MAX_DEPTH} levels deep.`,
    next: 'Look for brackets that are not closed, or generate the file again.',
  };
}

function tooManyAliases(at: Position): Problem {
  return {
    code: 'LHM031',
    severity: 'error',
    at,
    message: `The aliases of this document multiply what is written more than ${MAX_ALIASES} times.`,
    next: 'Write the parts out, or use fewer aliases of aliases.',
  };
}

function tooLong(file: string, length: number): ReadDocuments {
  const problem: Problem = {
    code: 'LHG031',
    severity: 'error',
    at: { file, line: 1, column: 1 },
    message: `A manifest has at most ${MAX_CHARACTERS} characters; this one has ${length}.`,
    next: 'Split the file, or name another one.',
  };
  return { documents: [], problems: [problem] };
}
