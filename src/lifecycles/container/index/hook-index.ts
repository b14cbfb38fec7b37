/**
 * Defines and reads the precompiled index of the hook directories: one file with every hook file, read, checked and
 * ordered. A runtime call reads only the head and the lines of the candidate files.
 *
 * OCI-I1  The index is used only if none of its inputs has changed since the build: the directories, every file in
 *     them, the directories that links lead to, the programs that the hooks name, and their interpreters.
 * OCI-I2  A change shortly before or during the build, which a file system's clock may not distinguish from an earlier
 *     one, makes the index stale too.
 * OCI-I3  An index in another format, of another user or with other settings is stale.
 * OCI-I4  Directories above the inputs make the index stale if their trust changes or they are removed, and only then.
 *
 * The index is ASCII, so that bytes and characters are the same. The head has five lines: the format with the head's
 * length, a header, the watched paths, the texts that each file requires, and the offset of each file's line. One line
 * for each file follows.
 */
import type { Problem, Position } from '../../../model/problem.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import type { RandomAccess } from '../../../platform/shim-host.ts';
import type { ContainerFacts, IndexedFile } from '../hooksd/hook-file.ts';
import type { LoadPolicy } from '../hooksd/load.ts';
import type { Trust } from '../hooksd/path-trust.ts';
import { betweenPlaces, readWatched, takeFingerprint, type Guard } from './index-watch.ts';

/** The settings on which the content of an index depends, besides the hook files. */
export interface IndexQuestion extends Trust {
  readonly folders: readonly string[];
  readonly policy: LoadPolicy;
}

export interface IndexHeader {
  readonly question: string;
  readonly builtAtMs: number;
  readonly hash: number;
  readonly guards: readonly Guard[];
  /** The problems for which no container may be started; empty: there are none. */
  readonly refusals: readonly Problem[];
}

export interface HookIndex {
  /** The index is fresh only while each of these has the same trust (OCI-I4). */
  readonly guards: readonly Guard[];
  readonly refusals: readonly Problem[];
  /** All hook files that apply, and few others: first those in force, in the order of injection, then skipped ones. */
  candidates(facts: ContainerFacts): Promise<IndexedFile[]>;
}

export const INDEX_FORMAT = 'lifehook-index 4';
export const betweenFiles = '\u001f';
/** `betweenTexts` separates alternative texts, `betweenLists` lists that are all required. */
export const betweenTexts = '\u001e';
export const betweenLists = '\u001d';
/** Digits of every number with a fixed width. */
export const NUMBER_WIDTH = 10;

export function questionText({ folders, policy, owners, allowUntrusted }: IndexQuestion): string {
  return JSON.stringify({ folders, policy, owners, allowUntrusted });
}

/** null: the file is stale, is the index of other directories or settings, or is not an index. */
export async function readIndex(
  file: RandomAccess,
  question: IndexQuestion,
  fingerprints: Fingerprints,
): Promise<HookIndex | null> {
  const head = await readHead(file);
  if (head === null || head.header.question !== questionText(question)) return null;
  const { hash, newestMs } = takeFingerprint(fingerprints, head.watched);
  const { builtAtMs, refusals, guards } = head.header;
  if (hash !== head.header.hash || newestMs + CLOCK_GRAIN_MS >= builtAtMs) return null;
  return { refusals, guards, candidates: (facts) => candidates(file, head, facts) };
}

interface Head {
  readonly header: IndexHeader;
  readonly watched: ReturnType<typeof readWatched>;
  readonly texts: string;
  readonly starts: string;
}

/**
 * Resolution, in milliseconds, of the coarsest file system clock (FAT); the clock of Linux file systems advances every
 * few milliseconds.
 */
export const CLOCK_GRAIN_MS = 2000;
/** The size of the head for a few hundred files: mostly one read is enough. */
const firstReadBytes = 64 * 1024;

async function readHead(file: RandomAccess): Promise<Head | null> {
  const first = await file.read(0, firstReadBytes);
  if (!first.startsWith(INDEX_FORMAT)) return null;
  const length = Number(first.slice(INDEX_FORMAT.length, first.indexOf('\n')));
  const missing = length - first.length;
  const text = missing > 0 ? first + (await file.read(first.length, missing)) : first;
  const [, header = '', watched = '', texts = '', starts = ''] = text.slice(0, length).split('\n');
  try {
    return {
      header: JSON.parse(header) as IndexHeader,
      watched: readWatched(watched.split(betweenPlaces)),
      texts,
      starts,
    };
  } catch {
    return null;
  }
}

async function candidates(
  file: RandomAccess,
  { texts, starts }: Head,
  facts: ContainerFacts,
): Promise<IndexedFile[]> {
  const found: IndexedFile[] = [];
  for (const at of mayApply(texts.split(betweenFiles), searchedText(facts))) {
    const place = starts.slice(at * NUMBER_WIDTH, (at + 2) * NUMBER_WIDTH);
    // A line ends where the next one starts. The last entry only ends the last line; an index of no files has only this
    // entry.
    if (place.length < 2 * NUMBER_WIDTH) continue;
    const from = Number(place.slice(0, NUMBER_WIDTH));
    const line = await file.read(from, Number(place.slice(NUMBER_WIDTH)) - from);
    found.push(unpackHookFile(line));
  }
  return found;
}

/** All texts that patterns are compared with; null: no file can be excluded by comparing texts. */
function searchedText({ annotations, args }: ContainerFacts): string | null {
  const [command] = args ?? [];
  // Without a command, the command condition is skipped or is an error: either way every file is a candidate.
  if (command === undefined) return null;
  return [...Object.entries(annotations).flat(), command].join('\n');
}

/** The positions, in `required`, of the files that may apply. */
function mayApply(required: readonly string[], searched: string | null): number[] {
  const found: number[] = [];
  // With a thousand files, an iterator would double the time of this loop in QuickJS.
  for (let at = 0; at < required.length; at += 1) {
    if (searched === null || hasRequired(required[at] ?? '', searched)) found.push(at);
  }
  return found;
}

/**
 * Whether the searched text has one text of each list. Stops at the first list without a match, which mostly is the
 * very first list.
 */
function hasRequired(lists: string, searched: string): boolean {
  for (let from = 0; from <= lists.length;) {
    const separator = lists.indexOf(betweenLists, from);
    const end = separator === -1 ? lists.length : separator;
    if (!hasOneOf(lists.slice(from, end), searched)) return false;
    from = end + 1;
  }
  return true;
}

/** Whether one of the texts contains the searched one. A list of several texts starts with its separator. */
function hasOneOf(texts: string, searched: string): boolean {
  if (!texts.startsWith(betweenTexts)) return searched.includes(texts);
  return texts
    .slice(betweenTexts.length)
    .split(betweenTexts)
    .some((text) => searched.includes(text));
}

/** A hook file as one line of the index: its positions omit the file's name. */
interface Packed extends Omit<IndexedFile, 'positions'> {
  readonly positions: Readonly<Record<string, readonly [line: number, column: number]>>;
}

export function packHookFile(file: IndexedFile): Packed {
  const positions = Object.entries(file.positions).map(
    ([path, { line, column }]) => [path, [line, column]] as const,
  );
  return { ...file, positions: Object.fromEntries(positions) };
}

function unpackHookFile(line: string): IndexedFile {
  const packed = JSON.parse(line) as Packed;
  const file = `${packed.folder}/${packed.name}`;
  const positions = Object.entries(packed.positions).map(
    ([path, [at, column]]): [string, Position] => [path, { file, line: at, column }],
  );
  return { ...packed, positions: Object.fromEntries(positions) };
}
