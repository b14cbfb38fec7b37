/**
 * YAML and JSON files as values with positions. One file may contain several documents. For a document that cannot be
 * read there is a problem with a position; the other documents are still read.
 */
import {
  type CollectionTag,
  type Document,
  isMap,
  isScalar,
  type ParsedNode,
  type ScalarTag,
  visit,
  type YAMLParseError,
} from 'yaml';

import { errorText } from '../platform/error-text.ts';
import { inexactInteger } from './inexact-integer.ts';
import { type Position, type Problem, shownText } from './problem.ts';
import { unreadable, yamlAdvice } from './located-tree.ts';
import {
  type BoundedOptions,
  type BoundedParse,
  parseBounded,
  parserMessage,
} from './parse-bounded.ts';
import { type DocumentText, splitDocuments } from './split-documents.ts';
import { YAML_DEPTH_MAX } from './yaml-nesting.ts';

export interface LocatedDocument {
  readonly value: unknown;
  /** The position of the part at this path, or of the nearest existing part around it. */
  positionOf(path: DocumentPath): Position;
  /** The position of the name of the field at this path; if there is no name, the same as `positionOf`. */
  positionOfKey(path: DocumentPath): Position;
}

export type DocumentPath = readonly (string | number)[];

export interface ReadDocuments {
  readonly documents: readonly LocatedDocument[];
  readonly problems: readonly Problem[];
  /** The integers whose value is not exact in the documents: an object with one must not be written. */
  readonly inexact: readonly Problem[];
}

/** Maximum characters of a file; no manifest is longer. */
export const DOCUMENTS_CHARACTERS_MAX = 16_777_216;

/** Maximum number of times that one part of a document appears, by aliases of it or of the parts that contain it. */
const MAX_ALIASES = 100;

/**
 * How unquoted numbers and words are read. `kubectl`: as kubectl reads them, so that 0644 is 420 and yes is true; a
 * date and 1:30 stay text.
 */
export type Dialect = 'core' | 'kubectl';

export function readDocuments(
  file: string,
  text: string,
  dialect: Dialect = 'core',
): ReadDocuments {
  if (text.length > DOCUMENTS_CHARACTERS_MAX) return tooLong(file);
  const documents: LocatedDocument[] = [];
  const problems: Problem[] = [];
  const inexact: Problem[] = [];
  const parse = lastParsed(file, dialect);
  for (const part of splitDocuments(text)) {
    const { documents: parsed, at, tooDeepAt } = parse(part);
    if (tooDeepAt !== null) problems.push(tooDeep(tooDeepAt));
    parsed.forEach((document, index) => {
      const read = readDocument(document, at, part.text);
      if ('problem' in read) {
        problems.push(read.problem);
        return;
      }
      documents.push(located(read.value, () => [parse(part).documents[index] as Parsed, at]));
      const changed = LONG_DIGITS.test(part.text) ? inexactInteger(document, at) : null;
      if (changed !== null) inexact.push(changed);
    });
  }
  return { documents, problems, inexact };
}

/** Only a text with such digits is searched for integers that are not exact. */
const LONG_DIGITS = /\d{16}/u;

/** Caches one tree only, since positions are queried document by document. */
function lastParsed(file: string, dialect: Dialect): (part: DocumentText) => BoundedParse {
  let last: { readonly part: DocumentText; readonly parsed: BoundedParse } | undefined;
  return (part) => {
    if (last?.part !== part)
      last = { part, parsed: parseBounded({ file, ...part }, DIALECTS[dialect]) };
    return last.parsed;
  };
}

type Parsed = Document.Parsed;
type At = BoundedParse['at'];

type ReadDocument = { readonly value: unknown } | { readonly problem: Problem };

function readDocument(document: Parsed, at: At, text: string): ReadDocument {
  const [error] = document.errors;
  if (error !== undefined) return { problem: problemOfError(document, at, text) };
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return isTooDeep(value) ? { problem: tooDeep(at(document.range[0])) } : { value };
  } catch (cause) {
    return { problem: refusal(at(document.range[0]), errorText(cause)) };
  }
}

/**
 * A document with positions. `again` parses the document a second time. The parsed document is not kept, since most
 * documents are never asked for a position.
 */
function located(value: unknown, again: () => readonly [Parsed, At]): LocatedDocument {
  const place = (path: DocumentPath, isKey: boolean): Position => {
    const [document, at] = again();
    const find = (part: DocumentPath) => document.getIn(part, true) as Found;
    const offset = (isKey ? keyOffset(find, path) : undefined) ?? offsetOf(find, path);
    return at(offset ?? document.range[0]);
  };
  return {
    value,
    positionOf: (path) => place(path, false),
    positionOfKey: (path) => place(path, true),
  };
}

/** A node of the tree. null: a key without a value. undefined: there is no such node. */
type Found = ParsedNode | null | undefined;
type Find = (path: DocumentPath) => Found;

function keyOffset(find: Find, path: DocumentPath): number | undefined {
  const around = find(path.slice(0, -1));
  if (!isMap<ParsedNode>(around)) return undefined;
  const name = String(path.at(-1));
  return around.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key.range[0];
}

/** Checks the nesting without recursion, since aliases may nest a value too deeply for the stack. */
function isTooDeep(value: unknown): boolean {
  let level: readonly object[] = [value].filter(isCollection);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > YAML_DEPTH_MAX) return true;
    level = level.flatMap((part): unknown[] => Object.values(part)).filter(isCollection);
  }
  return false;
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const DIALECTS: Readonly<Record<Dialect, BoundedOptions>> = {
  core: { logLevel: 'silent' },
  kubectl: {
    logLevel: 'silent',
    schema: 'yaml-1.1',
    merge: true,
    customTags: (tags) =>
      (tags as (ScalarTag | CollectionTag)[]).filter(
        ({ format, tag }) => format !== 'TIME' && !tag.endsWith(':timestamp'),
      ),
  },
};

function offsetOf(find: Find, path: DocumentPath): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = find(path.slice(0, length));
    if (node) return node.range[0];
  }
  return undefined;
}

function problemOfError(document: Parsed, at: At, text: string): Problem {
  const [error] = document.errors as [YAMLParseError];
  const [offset] = error.pos;
  if (error.code === 'DUPLICATE_KEY')
    return duplicateKey(at(offset), keyText(document, offset, text));
  return refusal(at(offset), parserMessage(error, at(offset)), yamlAdvice(text, offset));
}

function keyText(document: Parsed, offset: number, text: string): string {
  let end = offset;
  visit(document, {
    Scalar: (_, { range }) => {
      if (range?.[0] !== offset) return undefined;
      [, end] = range;
      return visit.BREAK;
    },
  });
  return text.slice(offset, end);
}

/** The problem of a text that the parser refuses. `message` is the message of the parser. */
function refusal(at: Position, message: string, next?: string): Problem {
  if (/call stack/u.test(message)) return tooDeep(at);
  if (/alias count/u.test(message)) return tooManyAliases(at);
  return unreadable(at, message, next);
}

function duplicateKey(at: Position, key: string): Problem {
  return {
    code: 'LHM032',
    severity: 'error',
    at,
    message: `The key ${shownText(key)} is in this map twice.`,
    next: 'Remove one of the two.',
  };
}

function tooDeep(at: Position): Problem {
  return {
    code: 'LHM030',
    severity: 'error',
    at,
    message: `Maps and lists are nested in each other more than ${YAML_DEPTH_MAX} levels deep.`,
    next: 'Look for brackets that are not closed, or generate the file again.',
  };
}

function tooManyAliases(at: Position): Problem {
  return {
    code: 'LHM031',
    severity: 'error',
    at,
    message: `One part of this document appears more than ${MAX_ALIASES} times, by aliases.`,
    next: 'Write the parts out, or use fewer aliases of aliases.',
  };
}

function tooLong(file: string): ReadDocuments {
  const problem: Problem = {
    code: 'LHG031',
    severity: 'error',
    at: { file, line: 1, column: 1 },
    message: `A manifest has at most ${DOCUMENTS_CHARACTERS_MAX} characters; this one has more.`,
    next: 'Split the file, or name another one.',
  };
  return { documents: [], problems: [problem], inexact: [] };
}
