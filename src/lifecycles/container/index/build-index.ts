/**
 * Reads all hook directories and writes the index: for `lifehook oci index`, and for a runtime call that finds it
 * stale.
 */
import type { Clock, Files } from '../../../platform/platform.ts';
import type { Fingerprints } from '../../../platform/fingerprint.ts';
import { joinedPattern } from '../hooksd/check-hook.ts';
import type { HookFile, IndexedFile } from '../hooksd/hook-file.ts';
import { classify } from '../hooksd/literal.ts';
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
  packHookFile,
} from './hook-index.ts';
import { guardsOf, takeFingerprint, watchedPlaces, writeWatched } from './index-watch.ts';

export interface BuildOptions extends ScanOptions, IndexQuestion {
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
}

export interface BuiltIndex {
  readonly text: string;
  readonly refusals: IndexHeader['refusals'];
  readonly files: readonly IndexedFile[];
  /** The content of the directories, for reports. */
  readonly set: LoadedSet;
}

export async function buildIndex(options: BuildOptions): Promise<BuiltIndex> {
  const builtAtMs = options.clock.nowMs();
  return indexOf(await loadHooks(options), { ...options, builtAtMs });
}

/**
 * Builds the index of a set of hook files. `builtAtMs`: the time when the reading of the set started. A later change
 * makes the index stale (OCI-I2).
 */
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

/** Files in force, and files skipped because their program is missing. */
function filesOf({ active, entries }: LoadedSet): readonly IndexedFile[] {
  const broken = entries.flatMap(({ state, file, problems: [leftOut] }) =>
    state === 'broken' && file !== undefined && leftOut !== undefined ? [{ ...file, leftOut }] : [],
  );
  return [...active, ...broken];
}

/** Throws with a POSIX code if the path is not writable. */
export async function storeIndex(files: Files, path: string, { text }: BuiltIndex): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  await files.makeFolder(folder, folderMode);
  await files.replace(path, text, { mode: indexMode });
}

const folderMode = 0o755;
/** Only the owner has access: hooks may have secrets in their environments. */
const indexMode = 0o600;

function writeIndex(headLines: readonly string[], files: readonly IndexedFile[]): string {
  const lines = files.map((file) => ascii(JSON.stringify(packHookFile(file))));
  const texts = files.map((file) => textsOf(file)).join(betweenFiles);
  const startsLength = NUMBER_WIDTH * (lines.length + 1);
  const head = ['', ...headLines, texts].join('\n');
  // The head contains its own length, which is why numbers have a fixed width.
  const headLength = `${INDEX_FORMAT} `.length + NUMBER_WIDTH + head.length + startsLength + 2;
  let at = headLength;
  const starts = lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return fixed(start);
  });
  return `${INDEX_FORMAT} ${fixed(headLength)}${head}\n${starts.join('')}${fixed(at)}\n${lines.join('\n')}\n`;
}

/** A single text is stored without a separator. If there are several, each has the separator before it. */
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

/** Escapes all characters outside of ASCII, which JSON has only in its strings. */
function ascii(json: string): string {
  return json.replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Alternatives: every container that the file matches contains at least one of these texts. */
type Texts = readonly string[];

/**
 * The texts without which a hook file cannot match: the index's first filter, so that of a thousand files only
 * candidates are parsed. `{commands: ["^/usr/bin/nginx$", "sh$"]}` has "/usr/bin/nginx" and "sh": the file is a
 * candidate for a container that has one of them in its command or an annotation. All lists are required. Without a
 * list, the file may match any container. Lists of values are compared before those of keys: many files and containers
 * share a key, so a value excludes more files.
 */
export function requiredTexts({ when }: HookFile): readonly Texts[] {
  const { annotations = [], annotationValues, commands = [], always, hasBindMounts } = when;
  const inAnnotations =
    annotationValues === undefined ? [] : [textsOfPatterns([joinedPattern(annotationValues)])];
  const inCommand = commands.length === 0 ? [] : [textsOfPatterns(commands)];
  if (when.combine === 'all') {
    const values = annotations.map(({ value }) => textsOfPatterns([value]));
    const keys = annotations.map(({ key }) => textsOfPatterns([key]));
    const all = [...values, ...inAnnotations, ...inCommand, ...keys];
    return all.filter((list) => list.length > 0);
  }
  if (always === true || hasBindMounts === true) return [];
  // One condition is enough, so the texts of all conditions are alternatives.
  const pairs = annotations.map(({ key, value }) =>
    longest([textsOfPatterns([key]), textsOfPatterns([value])]),
  );
  const conditions = [...pairs, ...inAnnotations, ...inCommand];
  const list = conditions.some((one) => one.length === 0) ? [] : conditions.flat();
  return list.length === 0 ? [] : [list];
}

/** The texts for a list of patterns, one of which must match; empty: no text is required. */
function textsOfPatterns(patterns: readonly string[]): Texts {
  const found = patterns.flatMap((pattern) => textsOfPattern(pattern));
  return found.every((text) => text !== '') ? found : [];
}

function textsOfPattern(pattern: string): string[] {
  const shape = classify(pattern);
  if (shape.kind === 'regex') return [plainRun(shape.required)];
  return shape.forms.map(({ parts }) => plainRun(longestOf(parts)));
}

/** The longest run of printable ASCII characters: the index is a text of ASCII lines. */
function plainRun(text: string): string {
  return longestOf(text.split(/[^ -~]+/));
}

function longestOf(list: readonly string[]): string {
  return list.reduce((best, text) => (text.length > best.length ? text : best), '');
}

function longest(lists: readonly Texts[]): Texts {
  const weight = (list: Texts): number =>
    list.length === 0 ? 0 : Math.min(...list.map((text) => text.length));
  return lists.reduce((best, list) => (weight(list) > weight(best) ? list : best), []);
}
