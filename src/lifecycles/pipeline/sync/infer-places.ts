/** Infers where a build copies the files of its context, from the text of its definition. Pure. */
import { joinPaths, nameIn, resolveFrom } from '../config/paths.ts';
import type { Artifact } from '../config/model.ts';
import { pathGlob } from '../hooks/glob.ts';
import type { Inferred } from './plan-sync.ts';

/** `dockerfile`: the text of the Dockerfile; null: there is none. */
export function inferPlaces(
  { builder, context }: Pick<Artifact, 'builder' | 'context'>,
  dockerfile: string | null,
): Inferred {
  switch (builder.kind) {
    case 'folder': {
      const root = resolveFrom(context, builder.path);
      const base = root === context ? '' : `${root.slice(context.length + 1)}/`;
      // The directory itself becomes the image's root.
      return (path) => (path.startsWith(base) ? [`/${path.slice(base.length)}`] : null);
    }
    case 'docker': {
      const copies = dockerfile === null ? null : copiesOf(dockerfile, builder.target);
      return (path) => (copies === null ? null : placesOf(path, copies));
    }
    case 'custom':
    case 'unsupported':
      return () => null;
    default:
      return builder satisfies never;
  }
}

interface Copied {
  readonly sources: readonly string[];
  /** The destination; with a "/" at its end, it is a directory. */
  readonly dest: string;
}

/** null: a destination or source cannot be determined from the text alone. */
function copiesOf(text: string, target: string | undefined): readonly Copied[] | null {
  const stage = lastStage(instructionsIn(text), target);
  const copies: Copied[] = [];
  let folder = '/';
  for (const [word, rest] of stage) {
    if (word === 'WORKDIR') {
      if (rest.includes('$')) return null;
      folder = joinPaths(rest.startsWith('/') ? rest : joinPaths(folder, rest), '');
    }
    if (word !== 'COPY' && word !== 'ADD') continue;
    const copied = readCopy(rest, folder);
    if (copied === null) return null;
    if (copied !== 'other') copies.push(copied);
  }
  return copies;
}

type Instruction = readonly [word: string, rest: string];

function instructionsIn(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\[ \t]*\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, word = '', rest = ''] = /^\s*([A-Za-z]+)\s+(.*?)\s*$/.exec(line) ?? [];
      return word === '' ? [] : [[word.toUpperCase(), rest] as const];
    });
}

function lastStage(all: readonly Instruction[], target: string | undefined): Instruction[] {
  const stages: { readonly name: string; readonly lines: Instruction[] }[] = [];
  for (const one of all) {
    if (one[0] === 'FROM') {
      stages.push({ name: /\sAS\s+(\S+)$/i.exec(one[1])?.[1] ?? '', lines: [] });
    } else {
      stages.at(-1)?.lines.push(one);
    }
  }
  const found = target === undefined ? undefined : stages.find(({ name }) => name === target);
  return (found ?? stages.at(-1))?.lines ?? [];
}

/** other: a copy from another stage or from elsewhere, which copies no file of the context. */
function readCopy(rest: string, folder: string): Copied | 'other' | null {
  if (/(^|\s)--from=/.test(rest)) return 'other';
  const words = rest.startsWith('[') ? jsonWords(rest) : rest.split(/\s+/);
  const sources = words.filter((word) => !word.startsWith('--'));
  const last = sources.pop() ?? '';
  if (sources.length === 0 || [...sources, last].some((word) => UNKNOWN.test(word))) return null;
  const dest = joinPaths(last.startsWith('/') ? last : joinPaths(folder, last), '');
  const isFolder = /(^|\/)\.?$/.test(last) || sources.length > 1;
  return { sources, dest: isFolder && dest !== '/' ? `${dest}/` : dest };
}

/** Sources that the text alone does not determine: variables, heredocs, and URLs of an ADD. */
const UNKNOWN = /\$|^<<|:\/\//;

function jsonWords(rest: string): string[] {
  try {
    const value: unknown = JSON.parse(rest);
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [];
  } catch {
    return [];
  }
}

/** The places of a file: none if it is never copied, several if it is copied more than once. */
function placesOf(path: string, copies: readonly Copied[]): readonly string[] {
  return copies.flatMap(({ sources, dest }) =>
    sources.flatMap((source) => placeOf(path, joinPaths(source, ''), dest)),
  );
}

/**
 * Worked example: with "COPY src lib/" in /app, src/a.js is at /app/lib/a.js, since only the content of a directory is
 * copied.
 */
function placeOf(path: string, source: string, dest: string): string[] {
  const name = source.replace(/^\//, '');
  if (name === '') return [joinPaths(dest, path)];
  if (path.startsWith(`${name}/`)) return [joinPaths(dest, path.slice(name.length + 1))];
  if (path === name) {
    const isFolder = dest.endsWith('/') || dest === '/';
    return [isFolder ? joinPaths(dest, nameIn(path)) : dest];
  }
  return /[*?[]/.test(name) ? matchedPlace(path, name, dest) : [];
}

/**
 * The place of a file that a pattern matches. If the pattern matches a directory, only the directory's content is
 * copied.
 */
function matchedPlace(path: string, pattern: string, dest: string): string[] {
  const glob = pathGlob(pattern);
  const parts = path.split('/');
  const depth = parts.findIndex(
    (_, index) => glob.kind === 'glob' && glob.matches(parts.slice(0, index + 1).join('/')),
  );
  if (depth === -1) return [];
  const inside = parts.slice(depth + 1).join('/');
  return [joinPaths(dest, inside === '' ? nameIn(path) : inside)];
}
