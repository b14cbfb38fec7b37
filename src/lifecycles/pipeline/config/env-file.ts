/**
 * skaffold.env: lines `NAME=value` beside the file that was asked for, read once at the start. What the
 * process has already, stays. Pure.
 */
import type { Problem } from '../../../model/problem.ts';
import { errorOf, shown } from './config-problem.ts';

type Env = Readonly<Record<string, string | undefined>>;

const LINES_MAX = 10_000;

export function withEnvFile(
  env: Env,
  { file, text }: { file: string; text: string },
): { readonly env: Env; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const added = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).slice(0, LINES_MAX).entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const found = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*[=:]\s*(.*)$/.exec(bare);
    if (found === null) {
      const at = { file, line: index + 1, column: 1 };
      const message = `A line of skaffold.env is NAME=value; received ${JSON.stringify(shown(bare))}.`;
      problems.push(errorOf('LHL122', { at, message, next: 'Correct or remove the line.' }));
    } else added.set(found[1] ?? '', unquoted(found[2] ?? ''));
  }
  const known = Object.entries(env).filter(([, value]) => value !== undefined);
  return { env: Object.fromEntries([...added, ...known]), problems };
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1(\s+#.*)?$/.exec(value);
  if (quoted === null) return value.replace(/(^|\s)#.*$/, '').trimEnd();
  const inner = quoted[2] ?? '';
  if (quoted[1] === "'") return inner;
  return inner.replaceAll(
    /\\(.)/g,
    (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter,
  );
}
