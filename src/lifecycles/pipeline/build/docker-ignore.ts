/**
 * The files that a .dockerignore excludes, by the rules of its documentation: the last line that matches a path, or a
 * parent directory of it, decides. A line with "!" includes the path again. Pure.
 */
import { pathGlob } from '../hooks/glob.ts';
import { withParents } from './walk-files.ts';

export interface DockerIgnore {
  /** Whether a path relative to the context is excluded. */
  readonly ignores: (path: string) => boolean;
  /** Whether a "!" line exists: then an excluded directory may contain files that are not excluded. */
  readonly hasExceptions: boolean;
  /** Lines with invalid globs, which match nothing. */
  readonly wrong: readonly string[];
}

interface Rule {
  readonly takesBack: boolean;
  readonly matches: (path: string) => boolean;
}

/**
 * Reads the text of a .dockerignore. Worked example: "*.md" and "!README.md" exclude a.md, but neither README.md nor
 * docs/a.md.
 */
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

/** The rule of one line. null: the line names the context itself, which cannot be excluded. */
function ruleOf(line: string): Rule | 'wrong' | null {
  const takesBack = line.startsWith('!');
  const pattern = cleaned(takesBack ? line.slice(1).trim() : line);
  if (pattern === '') return null;
  // "/**" matches the content of a directory, not the directory itself.
  const glob = pathGlob(pattern.endsWith('/**') ? `${pattern}/*` : pattern);
  return glob.kind === 'wrong' ? 'wrong' : { takesBack, matches: glob.matches };
}

/** The path relative to the context, without ".", "..", and slashes at its ends. */
function cleaned(pattern: string): string {
  const parts: string[] = [];
  for (const part of pattern.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
