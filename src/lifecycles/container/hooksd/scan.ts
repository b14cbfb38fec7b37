/**
 * Scans the hook directories: reads every `.json` file and judges it separately. Masking
 * is decided afterwards, in `resolve.ts`.
 */
import type { Problem } from '../../../model/problem.ts';
import { shellWords } from '../../../model/shell-words.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Files } from '../../../platform/platform.ts';
import type { HookFile } from './hook-file.ts';
import type { Compile } from '../../../model/pattern.ts';
import { HOOK_FILE_MAX_BYTES, pathOf, readHookFile, tooLarge } from './read-hook-file.ts';
import { distrust, pathTrust, type PathTrust, type Trust } from './path-trust.ts';
import { distrustOfProgram, missingProgram } from './program.ts';

const FILES_PER_FOLDER_MAX = 10_000;

export interface ScanOptions extends Trust {
  readonly files: Files;
  readonly compile: Compile;
  /** In increasing precedence: a file masks those of the same name in the directories before it. */
  readonly folders: readonly string[];
}

export type Finding = { readonly folder: string; readonly name: string } & (
  | { readonly kind: 'good'; readonly file: HookFile }
  /** A symbolic link to the null device: it disables the hook. */
  | { readonly kind: 'disabled' }
  /**
   * The file is not a valid hook, could not be read, or was refused before it was read. `wasRead` is true in the first
   * case.
   */
  | { readonly kind: 'bad'; readonly wasRead: boolean; readonly problems: readonly Problem[] }
  /** The program of the hook does not exist. */
  | { readonly kind: 'broken'; readonly file: HookFile; readonly problem: Problem }
  /** Other users may write the program of the hook. Unlike for a bad file, the last good version is not used. */
  | { readonly kind: 'unsafe'; readonly file: HookFile; readonly problem: Problem }
);

export interface FolderScan {
  readonly folder: string;
  /** failed: the content of the directory is unknown or not trusted. A missing directory is not an error. */
  readonly state: 'read' | 'missing' | 'failed';
  readonly findings: readonly Finding[];
  /** Problems of the directory, or of entries that were skipped. */
  readonly problems: readonly Problem[];
}

/** One scan with its cache of path trust. */
interface Scanning extends ScanOptions {
  readonly paths: PathTrust;
}

export async function scanFolders(options: ScanOptions): Promise<FolderScan[]> {
  const scans: FolderScan[] = [];
  const scanning = { ...options, paths: pathTrust(options.files, options) };
  for (const folder of options.folders) {
    scans.push(await scanFolder(withoutEndSlash(folder), scanning));
  }
  return scans;
}

function withoutEndSlash(folder: string): string {
  return folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
}

async function scanFolder(folder: string, options: Scanning): Promise<FolderScan> {
  let names: string[];
  try {
    names = await options.files.list(folder);
    const untrusted =
      (await options.paths.above(folder)) ??
      distrust(folder, await options.files.stat(folder), options);
    if (untrusted !== undefined) return failed(folder, placed(untrusted, folder));
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return failed(folder, notAFolder(folder));
    if (codeOf(error) !== 'ENOENT') return failed(folder, unreadable(folder, error));
    return { folder, state: 'missing', findings: [], problems: [] };
  }
  const hookNames = names.filter((name) => name.endsWith('.json')).toSorted();
  if (hookNames.length > FILES_PER_FOLDER_MAX) {
    return failed(folder, tooMany(folder, hookNames.length));
  }
  const problems = names
    .filter((name) => /\.json$/i.test(name) && !name.endsWith('.json'))
    .map((name) => ignoredName(folder, name));
  const findings: Finding[] = [];
  for (const name of hookNames) {
    const finding = await lookAt({ folder, name }, options);
    if (finding === undefined) problems.push(danglingLink(folder, name));
    else findings.push(finding);
  }
  return { folder, state: 'read', findings, problems };
}

interface Place {
  readonly folder: string;
  readonly name: string;
}

/** undefined if there is no file: a dangling link, or a file removed since the directory was listed. */
async function lookAt(place: Place, options: Scanning): Promise<Finding | undefined> {
  try {
    return await readPlace(place, options);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    return unread(place, unreadable(pathOf(place), error));
  }
}

async function readPlace(place: Place, options: Scanning): Promise<Finding> {
  const { files, paths } = options;
  const path = pathOf(place);
  const stat = await files.stat(path);
  const realPath = await files.realPath(path);
  if (realPath === '/dev/null') return { ...place, kind: 'disabled' };
  if (stat.kind !== 'file') return unread(place, notAFile(path));
  const untrusted =
    distrust(path, stat, options) ?? (realPath === path ? undefined : await paths.above(path));
  if (untrusted !== undefined) return unread(place, placed(untrusted, path));
  if (stat.size > HOOK_FILE_MAX_BYTES) return unread(place, tooLarge(path, stat.size));
  const reading = readHookFile({ ...place, text: await files.read(path) }, options.compile);
  if (!reading.ok) return { ...place, kind: 'bad', wasRead: true, problems: reading.problems };
  const { file } = reading;
  const problem = await missingProgram(file, files);
  if (problem !== undefined) return { ...place, kind: 'broken', file, problem };
  const unsafe = await distrustOfProgram(file, { files, trust: options, paths });
  if (unsafe !== undefined) return { ...place, kind: 'unsafe', file, problem: unsafe };
  return { ...place, kind: 'good', file };
}

/** Reports the problem at the refused file: the path in the problem may be a directory above the file. */
function placed(problem: Problem, file: string): Problem {
  return { ...problem, at: { file, line: 1, column: 1 } };
}

function unread(place: Place, problem: Problem): Finding {
  return { ...place, kind: 'bad', wasRead: false, problems: [problem] };
}

function failed(folder: string, problem: Problem): FolderScan {
  return { folder, state: 'failed', findings: [], problems: [problem] };
}

function unreadable(path: string, error: unknown): Problem {
  return {
    code: 'LHC111',
    severity: 'error',
    message: `${path} could not be read: ${errorText(error)}.`,
    at: { file: path, line: 1, column: 1 },
    next: 'Make it readable, or remove it.',
  };
}

function notAFolder(path: string): Problem {
  const file = shellWords([path]);
  return {
    code: 'LHC111',
    severity: 'error',
    message: `Hook files are read from whole directories, but ${path} is not a directory.`,
    at: { file: path, line: 1, column: 1 },
    next: `Name the directory of the hook file; \`lifehook lint ${file}\` checks a single file.`,
  };
}

function notAFile(path: string): Problem {
  return {
    code: 'LHC111',
    severity: 'error',
    message: `A name that ends in .json must be a file; ${path} is something else.`,
    at: { file: path, line: 1, column: 1 },
    next: 'Rename it, or remove it.',
  };
}

function tooMany(folder: string, count: number): Problem {
  return {
    code: 'LHC110',
    severity: 'error',
    message: `A hook directory has at most ${FILES_PER_FOLDER_MAX} hook files; ${folder} has ${count}.`,
    at: { file: folder, line: 1, column: 1 },
    next: 'Remove what is not needed; none of its files are used until then.',
  };
}

function ignoredName(folder: string, name: string): Problem {
  return {
    code: 'LHC115',
    severity: 'warning',
    message: `Only names that end in ".json", in lower case, are hook files; ${name} is ignored.`,
    at: { file: `${folder}/${name}`, line: 1, column: 1 },
    next: 'Rename it if it is meant to be a hook file.',
  };
}

function danglingLink(folder: string, name: string): Problem {
  return {
    code: 'LHC114',
    severity: 'warning',
    message: `${name} is a broken symbolic link, and is skipped.`,
    at: { file: `${folder}/${name}`, line: 1, column: 1 },
    next: 'Remove it; to switch a hook off, link its name to /dev/null.',
  };
}
