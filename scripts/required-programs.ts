/** Programs that a script runs: what is missing is named before anything is done. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** By program: the Debian package that brings it. */
export type Packages = Readonly<Record<string, string>>;

/** The programs that are not on the PATH, nor in the other folders. */
export function missingPrograms(packages: Packages, others: readonly string[] = []): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...path, ...others];
  return Object.keys(packages).filter(
    (program) => !folders.some((folder) => isProgram(join(folder, program))),
  );
}

/** One line: what to install. */
export function installCommand(packages: Packages, missing: readonly string[]): string {
  const names = [...new Set(missing.map((program) => packages[program] ?? program))];
  return `apt-get install --no-install-recommends ${names.join(' ')}`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
