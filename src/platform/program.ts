import * as fs from 'node:fs';
import { resolve } from 'node:path';

import { errorText } from './error-text.ts';
import type { SpawnSpec } from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';

type ProgramSpec = Pick<SpawnSpec, 'file' | 'cwd'>;

/**
 * Returns the path of the program. Throws a POSIX error: ENOENT or EACCES if PATH has no such program, ENOEXEC for a
 * text file without a "#!" line.
 */
export function findProgram(spec: ProgramSpec): string {
  const { file } = spec;
  const path = file.includes('/') ? file : searchPath(file, folderOf(spec));
  refuseTextWithoutInterpreter(resolve(folderOf(spec), path));
  return path;
}

/** Rejects NUL characters, at which every system would truncate the text without an error. `json`: the spec as text. */
export function refuseNul({ argv, env }: SpawnSpec, json: string): void {
  if (!json.includes(String.raw`\u0000`)) return;
  const isCut = (text: string): boolean => text.includes('\0');
  if (!argv.some(isCut) && !Object.entries(env).flat().some(isCut)) return;
  throw Object.assign(new Error('an argument or a variable holds a NUL character'), {
    code: 'ERR_INVALID_ARG_VALUE',
  });
}

/**
 * The error of a failed start, with a message that says what the user must correct. The operating system does not say
 * the reasons apart: it answers ENOENT for a missing program, interpreter or working directory.
 */
export function explainStartFailure(error: unknown, spec: ProgramSpec): Error {
  const folder = folderFailure(spec);
  if (folder !== null) return folder;
  const code = codeOf(error);
  // A code of Node's own argument checks. Of these checks, the values of a hook can only fail the one for NUL
  // characters.
  if (code === null || code.startsWith('ERR_')) {
    return posixError(
      'EINVAL',
      `${quote(spec.file)} cannot be started: ${errorText(error)}`,
      error,
    );
  }
  const why = code === 'ENOENT' ? missing(spec) : (reasons[code] ?? errorText(error));
  return posixError(code, `The program ${quote(spec.file)} ${why}`, error);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be executed: give it the x permission, and its directories too (EACCES).',
  ENOEXEC:
    'is neither a binary of this machine nor a script with a "#!" line: add the line, or name the interpreter first (ENOEXEC).',
  E2BIG:
    'was given more arguments and environment than the system takes: pass them by stdin or a file (E2BIG).',
};

/** The path that execvp searches if PATH is not set. */
const pathWithoutPath = '/bin:/usr/bin';

/** Searches the PATH of this process, as execvp does: libuv would search the PATH of the child. */
function searchPath(file: string, folder: string): string {
  let denied = false;
  for (const entry of (process.env['PATH'] ?? pathWithoutPath).split(':')) {
    // No `resolve` for an absolute entry, since it would take most of the time of the search.
    const candidate = entry.startsWith('/') ? `${entry}/${file}` : resolve(folder, entry, file);
    const access = executable(candidate);
    if (access === 'yes') return candidate;
    denied ||= access === 'denied';
  }
  throw posixError(denied ? 'EACCES' : 'ENOENT', 'not found on PATH');
}

function executable(path: string): 'yes' | 'denied' | 'missing' {
  if (kindOf(path) !== 'file') return 'missing';
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return 'yes';
  } catch {
    return 'denied';
  }
}

/** Number of bytes that are enough to find "#!", the magic number of a binary, or a NUL, which no text has. */
const headBytes = 256;

/**
 * Throws ENOEXEC for a text without "#!". execve rejects it too, but libuv uses execvp, which then runs /bin/sh on it:
 * an empty file would be a success. The kernel decides about other binary formats.
 */
function refuseTextWithoutInterpreter(path: string): void {
  const head = readHead(path);
  if (head === null || head.startsWith('#!') || head.includes('\0')) return;
  throw posixError('ENOEXEC', 'text without an interpreter');
}

function readHead(path: string): string | null {
  // exec itself rejects a path that is not a file or not executable. A pipe has no head to read.
  if (executable(path) !== 'yes') return null;
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const head = Buffer.alloc(headBytes);
    return head.toString('latin1', 0, fs.readSync(descriptor, head));
  } finally {
    fs.closeSync(descriptor);
  }
}

function folderFailure(spec: ProgramSpec): Error | null {
  if (spec.cwd === undefined) return null;
  const name = `The working directory ${quote(spec.cwd)} of ${quote(spec.file)}`;
  const kind = kindOf(spec.cwd);
  if (kind === 'missing')
    return posixError('ENOENT', `${name} does not exist: create it (ENOENT).`);
  if (kind !== 'folder') return posixError('ENOTDIR', `${name} is not a directory (ENOTDIR).`);
  try {
    fs.accessSync(spec.cwd, fs.constants.X_OK);
    return null;
  } catch {
    return posixError('EACCES', `${name} may not be entered: give it the x permission (EACCES).`);
  }
}

function missing(spec: ProgramSpec): string {
  if (!spec.file.includes('/')) return 'is not on PATH: install it, or give its path (ENOENT).';
  return kindOf(resolve(folderOf(spec), spec.file)) === 'missing'
    ? 'does not exist: correct the path (ENOENT).'
    : 'exists, but the interpreter or loader that it names does not: install that (ENOENT).';
}

function folderOf(spec: ProgramSpec): string {
  return resolve(spec.cwd ?? '.');
}

function kindOf(path: string): 'file' | 'folder' | 'other' | 'missing' {
  const stats = statOrNothing(path);
  if (stats === undefined) return 'missing';
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

function statOrNothing(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}
