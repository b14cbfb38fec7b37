/**
 * Which variables a hook may never set for later ones: those that decide which program runs or what it loads,
 * and those of the contract. Names are compared without regard to case, as Windows does. Pure.
 */
import { CONTRACT_NAMES } from '../hooks/contract.ts';

const DENIED = new Set([
  'PATH',
  'PATHEXT',
  'COMSPEC',
  'ENV',
  'BASH_ENV',
  'BASHOPTS',
  'SHELLOPTS',
  'IFS',
  'PS4',
  'PROMPT_COMMAND',
  'NODE_OPTIONS',
  'NODE_PATH',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'PYTHONHOME',
  'PERL5OPT',
  'PERL5LIB',
  'RUBYOPT',
  'RUBYLIB',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  ...CONTRACT_NAMES,
]);

/** Whole families: those of dynamic loaders, of git, of shell functions, and our own. */
const DENIED_PREFIXES = ['LD_', 'DYLD_', 'GIT_', 'BASH_FUNC_', 'LIFEHOOK_', 'SKAFFOLD_'];

export function isDeniedName(name: string): boolean {
  const upper = name.toUpperCase();
  return DENIED.has(upper) || DENIED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}

/** As shells and templates can name it. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,255}$/;

/** One value in UTF-8; with its name it stays below what Linux starts a program with. */
export const MAX_VALUE_BYTES = 120_000;

/** What is wrong with a value that a hook wants to set, as a sentence without its full stop; null: nothing. */
export function wrongInValue(name: string, value: string): string | null {
  if (!NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, 80));
    return `a name is letters, digits and "_", not beginning with a digit, at most 256 of them, not ${shown}`;
  }
  if (isDeniedName(name))
    return `${name} may not be set by a hook, since it would change how later programs run`;
  if (value.includes('\0')) return `the value of ${name} holds a NUL, which no variable can`;
  const bytes = new TextEncoder().encode(value).length;
  return bytes > MAX_VALUE_BYTES
    ? `the value of ${name} has ${bytes} bytes, at most ${MAX_VALUE_BYTES} are kept`
    : null;
}
