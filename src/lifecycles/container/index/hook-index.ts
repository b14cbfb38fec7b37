/**
 * The precompiled index of the hook folders: every hook file read, judged and put in order, in a file
 * of which a runtime call reads the head and no more than the lines of the files that may apply.
 *
 * OCI-I1  It is used only when nothing that went into it has changed since: the folders, every file in
 *     them, the folders that links lead to, the programs that the hooks name, and their interpreters.
 * OCI-I2  A change in the moments before or while it was made, which a file system's clock may not tell
 *     from one before, makes it stale too.
 * OCI-I3  Whoever it was made by, with what settings: another question makes it stale.
 *
 * OCI-I4  Directories above what was read make it stale when their trust changes, and by nothing else.
 *
 * It is ASCII, so that bytes and characters are the same. The head, five lines: the format with the
 * head's length, a header, what is watched, the texts that each file requires, and where the line of
 * each file begins. Then one line for each file.
 */
import type { Problem } from '../../../model/problem.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import type { RandomAccess } from '../../../platform/shim-host.ts';
import type { ContainerFacts, IndexedFile } from '../hooksd/hook-file.ts';
import type { LoadPolicy } from '../hooksd/load.ts';
import type { Trust } from '../hooksd/trust.ts';
import { unpackHookFile } from './packed-hook-file.ts';
import { betweenPlaces, readWatched, takeFingerprint, type Guard } from './index-watch.ts';

/** Everything that the content depends on besides the files. */
export interface IndexQuestion extends Trust {
  readonly folders: readonly string[];
  readonly policy: LoadPolicy;
}

export interface IndexHeader {
  readonly question: string;
  readonly builtAtMs: number;
  readonly hash: number;
  readonly guards: readonly Guard[];
  /** Why no container may be started; empty: go on. */
  readonly refusals: readonly Problem[];
}

export interface HookIndex {
  /** Fresh only if they hold (OCI-I4). */
  readonly guards: readonly Guard[];
  readonly refusals: readonly Problem[];
  /** Hook files in force, in the order of injection, then those left out: all that apply, and few that do not. */
  candidates(facts: ContainerFacts): Promise<IndexedFile[]>;
}

export const INDEX_FORMAT = 'lifehook-index 4';
export const betweenFiles = '\u001f';
/** Of texts of which one is required, and of such lists of which all are. */
export const betweenTexts = '\u001e';
export const betweenLists = '\u001d';
/** Digits of every number whose width has to be known. */
export const NUMBER_WIDTH = 10;

export function questionText({ folders, policy, owners, allowUntrusted }: IndexQuestion): string {
  return JSON.stringify({ folders, policy, owners, allowUntrusted });
}

/** null: it is stale, made for another question, or not an index at all. */
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

/** The coarsest clock of a file system in use (FAT: 2 s); Linux' own have a few milliseconds. */
export const CLOCK_GRAIN_MS = 2000;
/** The head of a few hundred files: mostly one read is enough. */
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
    // Behind the last start stands the end; without any file there is only the end.
    if (place.length < 2 * NUMBER_WIDTH) continue;
    const from = Number(place.slice(0, NUMBER_WIDTH));
    const line = await file.read(from, Number(place.slice(NUMBER_WIDTH)) - from);
    found.push(unpackHookFile(line));
  }
  return found;
}

/** Everything that patterns are tried on. null: the conditions do not decide by patterns alone. */
function searchedText({ annotations, args }: ContainerFacts): string | null {
  const [command] = args ?? [];
  // Without a command its condition is left out, or is an error: either way every file counts.
  if (command === undefined) return null;
  return [...Object.entries(annotations).flat(), command].join('\n');
}

/** Places in the list. */
function mayApply(required: readonly string[], searched: string | null): number[] {
  const found: number[] = [];
  // A thousand turns: in QuickJS an iterator would double their time.
  for (let at = 0; at < required.length; at += 1) {
    if (searched === null || hasRequired(required[at] ?? '', searched)) found.push(at);
  }
  return found;
}

/** The first list that is missing decides, and mostly the first one is. */
function hasRequired(lists: string, searched: string): boolean {
  for (let from = 0; from <= lists.length;) {
    const separator = lists.indexOf(betweenLists, from);
    const end = separator === -1 ? lists.length : separator;
    if (!hasOneOf(lists.slice(from, end), searched)) return false;
    from = end + 1;
  }
  return true;
}

/** A list of several begins with its separator. */
function hasOneOf(texts: string, searched: string): boolean {
  if (!texts.startsWith(betweenTexts)) return searched.includes(texts);
  return texts
    .slice(betweenTexts.length)
    .split(betweenTexts)
    .some((text) => searched.includes(text));
}
