/** The files of this project as git lists them; without git, all that .gitignore does not exclude. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths relative to the working directory of the tests, sorted. */
export function projectFiles(): string[] {
  const ignored = new Set(['.git', ...ignoredNames()]);
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (ignored.has(entry.name) || ignored.has(`*${endingOf(entry.name)}`)) return [];
      return entry.isDirectory() ? walk(path) : [path];
    });
  return walk('.').toSorted();
}

/**
 * Names to ignore: names at any depth ("node_modules", "dist/") and endings ("*.log"). Our .gitignore has only these.
 */
function ignoredNames(): string[] {
  const lines = readFileSync('.gitignore', 'utf8').split('\n');
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const other = patterns.filter((line) => !/^([\w.-]+\/?|\*\.\w+)$/.test(line));
  if (other.length > 0) {
    throw new Error(`.gitignore: test/project-files.ts has to learn about ${other.join(', ')}`);
  }
  return patterns.map((line) => line.replace(/\/$/, ''));
}

function endingOf(name: string): string {
  return /\.\w+$/.exec(name)?.[0] ?? '';
}
