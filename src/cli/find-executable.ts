/** Finds programs on PATH, as a shell does. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

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
