/** Reads all the hook folders and writes the index: what `lifehook oci index` does, and a stale call. */
import type { Clock, Files } from '../../../platform/platform.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import type { HookFile, IndexedFile } from '../hooksd/hook-file.ts';
import { loadHooks, refusalsOf } from '../hooksd/load.ts';
import type { LoadedSet } from '../hooksd/resolve.ts';
import type { ScanOptions } from '../hooksd/scan.ts';
import {
  betweenFiles,
  betweenLists,
  betweenTexts,
  INDEX_FORMAT,
  NUMBER_WIDTH,
  questionText,
  type IndexHeader,
  type IndexQuestion,
} from './hook-index.ts';
import { requiredTexts } from './index-literals.ts';
import { guardsOf, takeFingerprint, watchedPlaces, writeWatched } from './index-watch.ts';
import { packHookFile } from './packed-hook-file.ts';

export interface BuildOptions extends ScanOptions, IndexQuestion {
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
}

export interface BuiltIndex {
  /** What to store. */
  readonly text: string;
  readonly refusals: IndexHeader['refusals'];
  /** What the text holds. */
  readonly files: readonly IndexedFile[];
  /** What is in the folders, for who wants to tell about it. */
  readonly set: LoadedSet;
}

export async function buildIndex(options: BuildOptions): Promise<BuiltIndex> {
  const builtAtMs = options.clock.nowMs();
  return indexOf(await loadHooks(options), { ...options, builtAtMs });
}

/** `builtAtMs`: when the set was begun to be read; what changed since makes the index stale (OCI-I2). */
export async function indexOf(
  set: LoadedSet,
  options: Omit<BuildOptions, 'clock'> & { readonly builtAtMs: number },
): Promise<BuiltIndex> {
  const { builtAtMs } = options;
  const watched = await watchedPlaces(options, set);
  const { hash } = takeFingerprint(options.fingerprints, watched);
  const refusals = refusalsOf(set, options.policy);
  const files = filesOf(set);
  const guards = await guardsOf(options, set);
  const question = questionText(options);
  const header: IndexHeader = { question, builtAtMs, hash, guards, refusals };
  const text = writeIndex([ascii(JSON.stringify(header)), writeWatched(watched)], files);
  return { text, refusals, files, set };
}

/** In force, and left out for want of their programs. */
function filesOf({ active, entries }: LoadedSet): readonly IndexedFile[] {
  const broken = entries.flatMap(({ state, file, problems: [leftOut] }) =>
    state === 'broken' && file !== undefined && leftOut !== undefined ? [{ ...file, leftOut }] : [],
  );
  return [...active, ...broken];
}

/** Throws with a POSIX code where the place is not writable. */
export async function storeIndex(files: Files, path: string, { text }: BuiltIndex): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  await files.makeFolder(folder, folderMode);
  await files.replace(path, text, { mode: indexMode });
}

const folderMode = 0o755;
/** Hooks may carry secrets in their environments. */
const indexMode = 0o600;

function writeIndex(headLines: readonly string[], files: readonly IndexedFile[]): string {
  const lines = files.map((file) => ascii(JSON.stringify(packHookFile(file))));
  const texts = files.map((file) => textsOf(file)).join(betweenFiles);
  const startsLength = NUMBER_WIDTH * (lines.length + 1);
  const head = ['', ...headLines, texts].join('\n');
  // The first line has its own length in it, which is why numbers have a fixed width.
  const headLength = `${INDEX_FORMAT} `.length + NUMBER_WIDTH + head.length + startsLength + 2;
  let at = headLength;
  const starts = lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return fixed(start);
  });
  return `${INDEX_FORMAT} ${fixed(headLength)}${head}\n${starts.join('')}${fixed(at)}\n${lines.join('\n')}\n`;
}

/** One text stands for itself; of several each has the separator before it. */
function textsOf(file: HookFile): string {
  return requiredTexts(file)
    .map((texts) =>
      texts.length === 1 ? (texts[0] ?? '') : texts.map((text) => betweenTexts + text).join(''),
    )
    .join(betweenLists);
}

function fixed(value: number): string {
  return String(value).padStart(NUMBER_WIDTH, '0');
}

/** Only inside JSON strings can there be other characters. */
function ascii(json: string): string {
  return json.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
