/**
 * YAML and JSON files as values that know where each part of them stands. One file may hold several
 * documents; what cannot be read is a problem with its place, and the other documents are read all the same.
 */
import {
  isNode,
  LineCounter,
  type ParseOptions,
  parseAllDocuments,
  type SchemaOptions,
} from 'yaml';

import type { Position, Problem } from './problem.ts';
import { yamlAdvice } from './yaml-advice.ts';

export interface LocatedDocument {
  readonly value: unknown;
  /** Of the part at this path, or of the nearest one around it that is there. */
  positionOf(path: DocumentPath): Position;
}

export type DocumentPath = readonly (string | number)[];

export interface ReadDocuments {
  readonly documents: readonly LocatedDocument[];
  readonly problems: readonly Problem[];
}

/** A file longer than this is no manifest, characters. */
const MAX_CHARACTERS = 16_777_216;

/** How far aliases may multiply what is written. */
const MAX_ALIASES = 100;

/**
 * How numbers and words are read. `kubectl`: as that program does, so that 0644 is 420 and yes is true; a date and
 * 1:30 stay text.
 */
export type Dialect = 'core' | 'kubectl';

export function readDocuments(
  file: string,
  text: string,
  dialect: Dialect = 'core',
): ReadDocuments {
  if (text.length > MAX_CHARACTERS) return tooLong(file, text.length);
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, ...DIALECTS[dialect] });
  const documents: LocatedDocument[] = [];
  const problems: Problem[] = [];
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  for (const document of Array.isArray(parsed) ? parsed : []) {
    const [error] = document.errors;
    if (error !== undefined) {
      const next = yamlAdvice(text, error.pos[0]);
      problems.push({ ...unreadable(at(error.pos[0]), error.message), next });
      continue;
    }
    try {
      const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
      const start = document.range[0];
      documents.push({
        value,
        positionOf: (path) => at(offsetOf((part) => document.getIn(part, true), path) ?? start),
      });
    } catch (cause) {
      problems.push(unreadable(at(0), cause instanceof Error ? cause.message : String(cause)));
    }
  }
  return { documents, problems };
}

const DIALECTS: Readonly<Record<Dialect, ParseOptions & SchemaOptions>> = {
  core: {},
  kubectl: {
    schema: 'yaml-1.1',
    merge: true,
    customTags: (tags) =>
      tags.filter(
        (tag) =>
          typeof tag === 'string' || (tag.format !== 'TIME' && !tag.tag.endsWith(':timestamp')),
      ),
  },
};

function offsetOf(find: (path: DocumentPath) => unknown, path: DocumentPath): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = find(path.slice(0, length));
    if (isNode(node) && node.range !== null && node.range !== undefined) return node.range[0];
  }
  return undefined;
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
