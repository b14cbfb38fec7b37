/**
 * Determines the hook files in force from the content of the directories: the file for each name, and the files
 * it masks. Pure.
 *
 * 1. For each name, the file of the last directory with a good file counts. A link to the null device is a good file
 *    without a hook.
 * 2. A bad or broken file masks nothing.
 * 3. A bad file that was good before is used in its last good version, unless other users may write its program.
 * 4. Files in force are in the order of injection, across all directories.
 */
import type { Problem } from '../../../model/problem.ts';
import type { HookFile } from './hook-file.ts';
import { pathOf } from './read-hook-file.ts';
import type { Finding, FolderScan } from './scan.ts';

/** kept: the file is invalid now, so its last valid version is used. */
export type EntryState = 'active' | 'kept' | 'masked' | 'disabled' | 'bad' | 'broken';

export interface Entry {
  readonly name: string;
  readonly folder: string;
  readonly state: EntryState;
  /** The last valid version of the file. Absent: it has none, or disables a hook. */
  readonly file?: HookFile;
  /** The path of the file with the same name and higher precedence. */
  readonly maskedBy?: string;
  readonly problems: readonly Problem[];
}

export interface LoadedSet {
  /** The files in force, in the order of injection. */
  readonly active: readonly HookFile[];
  /** Every found file: by name, and per name the directory with the highest precedence first. */
  readonly entries: readonly Entry[];
  /** All problems, of every file and directory. */
  readonly problems: readonly Problem[];
  /** Directories that could not be used at all. */
  readonly failedFolders: readonly string[];
}

/** The last good version of each file, by path. */
export type LastGood = ReadonlyMap<string, HookFile>;

export function resolveScans(scans: readonly FolderScan[], lastGood: LastGood): LoadedSet {
  const findings = scans.flatMap((scan) => findingsOf(scan, lastGood)).toReversed();
  const names = inInjectionOrder([...new Set(findings.map(({ name }) => name))]);
  const byName = new Map<string, Finding[]>(names.map((name) => [name, []]));
  for (const finding of findings) byName.get(finding.name)?.push(finding);
  const entries = names.flatMap((name) => resolveName(byName.get(name) ?? [], lastGood));
  return {
    active: entries.flatMap(({ state, file }) =>
      (state === 'active' || state === 'kept') && file !== undefined ? [file] : [],
    ),
    entries,
    problems: [
      ...scans.flatMap(({ problems }) => problems),
      ...entries.flatMap(({ problems }) => problems),
    ],
    failedFolders: scans.filter(({ state }) => state === 'failed').map(({ folder }) => folder),
  };
}

/** The files to which the next reload can fall back. A removed file is forgotten. */
export function rememberGood(scans: readonly FolderScan[], lastGood: LastGood): LastGood {
  const findings = scans.flatMap((scan) => findingsOf(scan, lastGood));
  const good = new Map<string, HookFile>();
  for (const finding of findings) {
    const path = pathOf(finding);
    const file = finding.kind === 'good' ? finding.file : lastGood.get(path);
    if (file !== undefined && (finding.kind === 'good' || finding.kind === 'bad')) {
      good.set(path, file);
    }
  }
  return good;
}

/** The content of a failed directory is unknown, so every file that was good in it stays in force. */
function findingsOf(
  { folder, state, findings }: FolderScan,
  lastGood: LastGood,
): readonly Finding[] {
  if (state !== 'failed') return findings;
  return [...lastGood.values()]
    .filter((file) => file.folder === folder)
    .map((file) => ({ kind: 'bad', folder, name: file.name, wasRead: false, problems: [] }));
}

/** The entries of one name, the one with the highest precedence first. */
function resolveName(findings: readonly Finding[], lastGood: LastGood): Entry[] {
  let maskedBy: string | undefined;
  return findings.map((finding) => {
    const entry = entryOf(finding, lastGood);
    if (maskedBy !== undefined) return { ...entry, state: 'masked', maskedBy };
    if (entry.state !== 'bad' && entry.state !== 'broken') maskedBy = pathOf(finding);
    return entry;
  });
}

function entryOf(finding: Finding, lastGood: LastGood): Entry {
  const { folder, name } = finding;
  switch (finding.kind) {
    case 'good':
      return { name, folder, state: 'active', file: finding.file, problems: [] };
    case 'disabled':
      return { name, folder, state: 'disabled', problems: [] };
    case 'unsafe':
      return { name, folder, state: 'bad', file: finding.file, problems: [finding.problem] };
    case 'broken':
      return { name, folder, state: 'broken', file: finding.file, problems: [finding.problem] };
    case 'bad': {
      const file = lastGood.get(pathOf(finding));
      const { problems } = finding;
      if (file === undefined) return { name, folder, state: 'bad', problems };
      return { name, folder, state: 'kept', file, problems: [...problems, keptProblem(file)] };
    }
    default:
      return finding satisfies never;
  }
}

function keptProblem(file: HookFile): Problem {
  return {
    code: 'LHC116',
    severity: 'warning',
    message: 'The last good version of this file stays in use.',
    at: { file: pathOf(file), line: 1, column: 1 },
    next: 'Correct the file; or remove it, to disable its hook.',
  };
}

/**
 * The order of injection: file names in lower case, compared by code point, across all directories (man page
 * oci-hooks(5)). JavaScript's own sort compares UTF-16 units, and its `toLowerCase` depends on the context and
 * may lengthen a letter, whereas Go maps each rune to one rune.
 */
export function inInjectionOrder(names: readonly string[]): string[] {
  const keyed = names.map((name) => ({ name, key: lowerCase(name) }));
  // Podman and CRI-O give names that differ only in case no fixed order; this order is stable.
  return keyed
    .toSorted((a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(a.name, b.name))
    .map(({ name }) => name);
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Go's strings.ToLower: the simple mapping of each code point. */
export function lowerCase(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  let lower = '';
  // If a full mapping has several code points, the first is the simple mapping ("İ" is the only one).
  for (const rune of text) lower += String.fromCodePoint(rune.toLowerCase().codePointAt(0) ?? 0);
  return lower;
}

function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left[at] === right[at]) at += 1;
  if (at === shorter) return left.length - right.length;
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** The rank of a UTF-16 unit by code points. Surrogates rank last: they encode the code points from U+10000 up. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
