/** Checks the programs that a script runs, so that it can name missing ones before it does anything. */
import { findExecutable, pathFolders } from '../src/cli/real-runtime.ts';

/** The Debian package of each program. */
export type Packages = Readonly<Record<string, string>>;

/** The programs of `packages` that are neither on the PATH nor in the directories `others`. */
export function missingPrograms(packages: Packages, others: readonly string[] = []): string[] {
  const folders = [...pathFolders(), ...others];
  return Object.keys(packages).filter((program) => findExecutable(program, folders) === null);
}

/** One line: the command that installs the packages of the missing programs. */
export function installCommand(packages: Packages, missing: readonly string[]): string {
  const names = [...new Set(missing.map((program) => packages[program] ?? program))];
  return `apt-get install --no-install-recommends ${names.join(' ')}`;
}
