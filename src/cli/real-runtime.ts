/** Finds the programs of this machine that real containers need. */
import { accessSync, constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';

import { partArgv, programFolder } from './program-files.ts';

/** The OCI runtimes that the local cluster can use, in the order of preference. */
const OCI_RUNTIMES = ['runc', 'crun'];

/** The path of the OCI runtime that `auto` selects; null: use the process runner. */
export async function realRuntime(): Promise<string | null> {
  const [first = null] = (await realRuntimes()).values();
  return first;
}

/** The paths of the usable OCI runtimes by name, in the order of preference. */
export async function realRuntimes(): Promise<ReadonlyMap<string, string>> {
  const usable = new Map<string, string>();
  if ((await obstacleToAll()) !== null) return usable;
  for (const name of OCI_RUNTIMES) {
    // An absolute path, because the directory of the runtime may be missing from PATH.
    const path = pathOf(name);
    if (path !== null) usable.set(name, path);
  }
  return usable;
}

/** Why an OCI runtime cannot be used, and what to do about it. */
export interface Obstacle {
  readonly what: string;
  readonly next: string;
}

/** null: the OCI runtime can be used. */
export async function obstacleTo(name: string): Promise<Obstacle | null> {
  const obstacle = await obstacleToAll();
  if (obstacle !== null || pathOf(name) !== null) return obstacle;
  return { what: `no program ${name} was found`, next: `Install ${name}` };
}

/** What every OCI runtime needs: root, and the native supervisor, which reports how containers exit. */
async function obstacleToAll(): Promise<Obstacle | null> {
  if (process.getuid?.() !== 0) return { what: 'it needs root', next: 'Run lifehook as root' };
  const supervisor = supervisorPath();
  if (await isBinary(supervisor)) return null;
  const what = `the native program ${supervisor} is missing`;
  return { what, next: 'Build the native programs with `npm run build:shim`' };
}

/** The command line of the supervisor: that of the shim if it was built, else the same supervisor under Node. */
export function supervisorArgv(): readonly string[] {
  const built = supervisorPath();
  return existsSync(built) ? [built] : partArgv('supervise');
}

/** The path of the supervisor next to this program; the file may not exist. */
function supervisorPath(): string {
  return join(programFolder(), 'shim', 'lifehook-supervise');
}

/** The path of a busybox that runs in an empty root directory; null: there is none. */
export async function findStaticBusybox(): Promise<string | null> {
  const path = pathOf('busybox');
  return path !== null && !(await mentionsLoader(path)) ? path : null;
}

function pathOf(name: string): string | null {
  return findExecutable(name, [...pathFolders(), '/usr/sbin', '/bin']);
}

const HEAD_BYTES = 4096;

/** True: the program names a dynamic loader. A dynamically linked program names it in its first page. */
async function mentionsLoader(path: string): Promise<boolean> {
  return (await headOf(path)).includes('/ld-');
}

async function isBinary(path: string): Promise<boolean> {
  return existsSync(path) && (await headOf(path)).startsWith('\u007fELF');
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The directories of PATH, in its order. */
export function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** The path of the first program of that name in the directories; null: no directory has it. */
export function findExecutable(name: string, folders: readonly string[]): string | null {
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
