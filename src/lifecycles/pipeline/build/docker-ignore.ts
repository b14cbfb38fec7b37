/**
 * What a .dockerignore leaves out, by the rules of its documentation: the last line that matches a path, or a folder
 * above it, decides; "!" takes back in. Pure.
 */
import { pathGlob } from '../hooks/glob.ts';
import { withParents } from './walk-files.ts';

export interface DockerIgnore {
  /** Of a path relative to the context. */
  readonly ignores: (path: string) => boolean;
  /** Whether a line takes back in: then what is ignored may hold what is not. */
  readonly hasExceptions: boolean;
  /** Lines that are no globs, which match nothing. */
  readonly wrong: readonly string[];
}

interface Rule {
  readonly takesBack: boolean;
  readonly matches: (path: string) => boolean;
}

/** Worked example: "*.md" and "!README.md" leave out a.md, and neither README.md nor docs/a.md. */
export function readDockerIgnore(text: string): DockerIgnore {
  const rules: Rule[] = [];
  const wrong: string[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue;
    const rule = ruleOf(line.trim());
    if (rule === 'wrong') wrong.push(line.trim());
    else if (rule !== null) rules.push(rule);
  }
  return {
    ignores: (path) => {
      const paths = withParents(path);
      return (
        rules.findLast(({ matches }) => paths.some((one) => matches(one)))?.takesBack === false
      );
    },
    hasExceptions: rules.some(({ takesBack }) => takesBack),
    wrong,
  };
}

/** null: a line that names the context itself, which cannot be left out. */
function ruleOf(line: string): Rule | 'wrong' | null {
  const takesBack = line.startsWith('!');
  const pattern = cleaned(takesBack ? line.slice(1).trim() : line);
  if (pattern === '') return null;
  // What a folder holds is not the folder itself.
  const glob = pathGlob(pattern.endsWith('/**') ? `${pattern}/*` : pattern);
  return glob.kind === 'wrong' ? 'wrong' : { takesBack, matches: glob.matches };
}

/** Relative to the context, without "." and ".." and the slashes at both ends. */
function cleaned(pattern: string): string {
  const parts: string[] = [];
  for (const part of pattern.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
