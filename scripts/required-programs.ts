/** Programs that a script runs: what is missing is named before anything is done. */
import { findExecutable, pathFolders } from '../src/cli/real-runtime.ts';

/** By program: the Debian package that brings it. */
export type Packages = Readonly<Record<string, string>>;

/** The programs that are not on the PATH, nor in the other directories. */
export function missingPrograms(packages: Packages, others: readonly string[] = []): string[] {
  const folders = [...pathFolders(), ...others];
  return Object.keys(packages).filter((program) => findExecutable(program, folders) === null);
}

/** One line: what to install. */
export function installCommand(packages: Packages, missing: readonly string[]): string {
  const names = [...new Set(missing.map((program) => packages[program] ?? program))];
  return `apt-get install --no-install-recommends ${names.join(' ')}`;
}
