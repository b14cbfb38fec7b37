/**
 * Infers from a Dockerfile, or from the directory of a directory build, where an image has the files of its build
 * context. Pure.
 */
import type { BuildArgs } from '../build/docker-argv.ts';
import { joinPaths, nameIn, resolveFrom } from '../config/paths.ts';
import type { Artifact, DockerBuilder } from '../config/model.ts';
import { pathGlob } from '../hooks/glob.ts';
import { GlobalArguments, type Instruction, instructionsIn } from './dockerfile-text.ts';
import type { Inferred } from './plan-sync.ts';

/**
 * Determines where a build would place the files of the context. `dockerfile`: the text of the Dockerfile; null: there
 * is none.
 */
export function inferPlaces(
  { builder, context, requires }: Pick<Artifact, 'builder' | 'context' | 'requires'>,
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
      const given = argumentsOf({ builder, requires });
      const stages = dockerfile === null ? [] : stagesIn(dockerfile, new GlobalArguments(given));
      const stage = stageOf(stages, builder.target);
      const copies = stage === null ? null : copiesOf(stage);
      return (path) => (copies === null ? null : placesOf(path, copies));
    }
    case 'custom':
    case 'unsupported':
      return () => null;
    default:
      return builder satisfies never;
  }
}

/** The values that replace defaults of the Dockerfile. Templates and images of other artifacts are not known yet. */
function argumentsOf({
  builder,
  requires,
}: {
  readonly builder: DockerBuilder;
  readonly requires: Artifact['requires'];
}): BuildArgs {
  const own = Object.entries(builder.buildArgs).map(
    ([name, value]) => [name, value?.includes('{{') === true ? null : value] as const,
  );
  return Object.fromEntries([...own, ...requires.map(({ alias }) => [alias, null] as const)]);
}

interface Copied {
  readonly sources: readonly string[];
  /** The destination; with a "/" at its end, it is a directory. */
  readonly dest: string;
}

/** The copies that a build stage makes. null: a destination or source cannot be determined from the text alone. */
function copiesOf({ lines, root }: BuiltStage): readonly Copied[] | null {
  const copies: Copied[] = [];
  let folder = root;
  for (const [word, rest] of lines) {
    if (word === 'WORKDIR') {
      if (rest.includes('$')) return null;
      folder = within(folder, rest);
    }
    if (word !== 'COPY' && word !== 'ADD') continue;
    const copied = copyOf([word, rest], folder);
    if (copied === null) return null;
    if (copied !== 'other') copies.push(copied);
  }
  return copies;
}

/** Resolves a path in the working directory; null: the path is relative, and the directory is not known. */
function within(folder: string | null, path: string): string | null {
  if (path.startsWith('/')) return joinPaths(path, '');
  return folder === null ? null : joinPaths(folder, path);
}

/** The target, which is named or numbered, or else the last stage; null: there is no such stage. */
function stageOf(stages: readonly Stage[], target: string | undefined): BuiltStage | null {
  const wanted = target?.toLowerCase() ?? `${stages.length - 1}`;
  const at = stages.findIndex(({ name }, index) => [name, `${index}`].includes(wanted));
  return at === -1 ? null : builtStage(stages, at);
}

interface Stage {
  /** In lower case; '' if it has none. */
  readonly name: string;
  /** The image or the earlier stage on which it is based, in lower case. */
  readonly base: string;
  readonly lines: Instruction[];
}

interface BuiltStage {
  /** The instructions, after those of the stage on which it is based. */
  readonly lines: readonly Instruction[];
  /** The working directory before these instructions; null: that of another image, which is not known. */
  readonly root: string | null;
}

function builtStage(stages: readonly Stage[], at: number): BuiltStage {
  const { base = '', lines = [] } = stages[at] ?? {};
  const before = stages.slice(0, at).findLastIndex(({ name }) => name !== '' && name === base);
  if (before === -1) return { lines, root: base === 'scratch' ? '/' : null };
  const inherited = builtStage(stages, before);
  return { ...inherited, lines: [...inherited.lines, ...lines] };
}

function stagesIn(text: string, globals: GlobalArguments): readonly Stage[] {
  const stages: Stage[] = [];
  for (const one of instructionsIn(text)) {
    const [word, rest] = one;
    if (word === 'ARG' && stages.length === 0) globals.declare(rest);
    if (word === 'FROM') {
      const [, base = '', name = ''] = FROM.exec(globals.expand(rest).toLowerCase()) ?? [];
      stages.push({ name, base, lines: [] });
    } else {
      stages.at(-1)?.lines.push(one);
    }
  }
  return stages;
}

/** The base and the name of a stage, in lower case. */
const FROM = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?$/;

/** other: a copy from another stage or from elsewhere, which copies no file of the context. */
function copyOf([word, rest]: Instruction, folder: string | null): Copied | 'other' | null {
  if (/(^|\s)--from=/.test(rest)) return 'other';
  const isUnpacked = word === 'ADD' && ARCHIVE.test(rest);
  return isUnpacked || UNCLEAR_FLAG.test(rest) ? null : readCopy(rest, folder);
}

const UNCLEAR_FLAG = /(^|\s)--(?:parents|exclude)\b/;

function readCopy(rest: string, folder: string | null): Copied | null {
  const words = rest.startsWith('[') ? jsonWords(rest) : rest.split(/\s+/);
  const sources = words.filter((word) => !word.startsWith('--'));
  const last = sources.pop() ?? '';
  if (sources.length === 0 || [...sources, last].some((word) => UNKNOWN.test(word))) return null;
  const dest = within(folder, last);
  if (dest === null) return null;
  const isFolder = /(^|\/)\.?$/.test(last) || sources.length > 1;
  return { sources, dest: isFolder && dest !== '/' ? `${dest}/` : dest };
}

/** Archives, which an ADD unpacks. */
const ARCHIVE = /\.(?:tar(?:\.\w+)?|t[bgx]z\d?)(?:[\s"]|$)/;

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
 * The place of a file that a COPY instruction copies. Worked example: with "COPY src lib/" in /app, src/a.js is at
 * /app/lib/a.js, since only the content of a directory is copied.
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
