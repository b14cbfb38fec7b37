/**
 * The precompiled index of the hook folders: every hook file read, judged and put in order, in a text
 * that a runtime call can use without parsing what does not apply.
 *
 * I1  It is used only when nothing that went into it has changed since: the folders, every file in
 *     them, the folders that links lead to, and the programs that the hooks name.
 * I2  A change in the moments before or while it was made, which a file system's clock may not tell
 *     from one before, makes it stale too.
 * I3  Whoever it was made by, with what settings: another question makes it stale.
 *
 * The text is ASCII, so that bytes and characters are the same: a line with the format, one with the
 * header, one with the texts that each file requires, then one line for each file.
 */
import type { Problem } from '../../../model/problem.ts';
import type { Clock } from '../../../platform/platform.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import type { ContainerFacts, HookFile } from '../hooksd/hook-file.ts';
import { loadHooks, refusalsOf, type LoadPolicy } from '../hooksd/load.ts';
import type { LoadedSet } from '../hooksd/resolve.ts';
import type { ScanOptions } from '../hooksd/scan.ts';
import { requiredTexts } from './index-literals.ts';
import { watchedPlaces, type Watched } from './index-watch.ts';
import { packHookFile, unpackHookFile } from './packed-hook-file.ts';

export interface IndexOptions extends ScanOptions {
  readonly policy: LoadPolicy;
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
}

export interface HookIndex {
  /** The text to store. */
  readonly text: string;
  /** Why no container may be started; empty: go on. */
  readonly refusals: readonly Problem[];
  /** Hook files in force, in the order of injection: all that apply, and few that do not. */
  candidates(facts: ContainerFacts): HookFile[];
}

/** Reads all the folders: what `lifehook oci index` does, and the wrapper when its index is stale. */
export async function buildIndex(options: IndexOptions): Promise<HookIndex> {
  const builtAtMs = options.clock.nowMs();
  const set = await loadHooks(options);
  const watched = await watchedPlaces(options, set);
  const { hash } = take(options.fingerprints, watched);
  const header: Header = {
    question: questionOf(options),
    builtAtMs,
    hash,
    refusals: refusalsOf(set, options.policy),
    watched,
  };
  return openIndex(writeText(header, set), header);
}

/** null: it is stale, made for another question, or not an index at all. */
export function readIndex(text: string, options: IndexOptions): HookIndex | null {
  const header = readHeader(text);
  if (header === null || header.question !== questionOf(options)) return null;
  const { hash, newestMs } = take(options.fingerprints, header.watched);
  if (hash !== header.hash || newestMs + clockGrainMs >= header.builtAtMs) return null;
  return openIndex(text, header);
}

interface Header {
  readonly question: string;
  readonly builtAtMs: number;
  readonly hash: number;
  readonly refusals: readonly Problem[];
  readonly watched: readonly Watched[];
}

const format = 'lifehook-index 1';
/** The coarsest clock of a file system in use (FAT: 2 s); Linux' own have a few milliseconds. */
const clockGrainMs = 2000;
const betweenFiles = '\u001f';
const betweenTexts = '\u001e';

/** Everything that the content depends on besides the files. */
function questionOf({ folders, policy, owners, allowUntrusted }: IndexOptions): string {
  return JSON.stringify({ folders, policy, owners, allowUntrusted });
}

function take(
  fingerprints: Fingerprints,
  watched: readonly Watched[],
): { hash: number; newestMs: number } {
  let hash = 0;
  let newestMs = 0;
  for (const { folder, names } of watched) {
    const next = fingerprints.fingerprint(folder, names, hash);
    hash = next.hash;
    newestMs = Math.max(newestMs, next.newestMs);
  }
  return { hash, newestMs };
}

function writeText(header: Header, { active }: LoadedSet): string {
  const texts = active.map((file) => requiredTexts(file).join(betweenTexts));
  const lines = [
    format,
    ascii(JSON.stringify(header)),
    texts.join(betweenFiles),
    ...active.map((file) => ascii(JSON.stringify(packHookFile(file)))),
  ];
  return `${lines.join('\n')}\n`;
}

/** Only inside JSON strings can there be other characters. */
function ascii(json: string): string {
  return json.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function readHeader(text: string): Header | null {
  if (!text.startsWith(`${format}\n`)) return null;
  const start = format.length + 1;
  try {
    return JSON.parse(text.slice(start, text.indexOf('\n', start))) as Header;
  } catch {
    return null;
  }
}

function openIndex(text: string, { refusals }: Header): HookIndex {
  return {
    text,
    refusals,
    candidates: (facts) => {
      const [, , texts = '', ...files] = text.split('\n');
      const searched = searchedText(facts);
      return texts
        .split(betweenFiles)
        .flatMap((required, at) => (mayApply(required, searched) ? [files[at] ?? ''] : []))
        .filter((line) => line !== '')
        .map((line) => unpackHookFile(line));
    },
  };
}

/** Everything that patterns are tried on. null: the conditions do not decide by patterns alone. */
function searchedText({ annotations, args }: ContainerFacts): string | null {
  const [command] = args ?? [];
  // Without a command its condition is left out, or is an error: either way every file counts.
  if (command === undefined) return null;
  return [...Object.entries(annotations).flat(), command].join('\n');
}

function mayApply(required: string, searched: string | null): boolean {
  if (searched === null || required === '') return true;
  if (!required.includes(betweenTexts)) return searched.includes(required);
  return required.split(betweenTexts).some((text) => searched.includes(text));
}
