/**
 * Splits the text of a Dockerfile into instructions, and expands the build arguments that its FROM instructions may
 * name, by the rules of BuildKit. Pure.
 */
import type { BuildArgs } from '../build/docker-argv.ts';

/** `word` in upper case. */
export type Instruction = readonly [word: string, rest: string];

/** The instructions of a Dockerfile, without comments and the text of heredocs. */
export function instructionsIn(text: string): Instruction[] {
  const lines = text.split(/\r?\n/);
  const escape = escapeOf(lines);
  const instructions: Instruction[] = [];
  for (let line = logicalLine(lines, escape); line !== null; line = logicalLine(lines, escape)) {
    const [, word = '', rest = ''] = /^\s*([A-Za-z]+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (word === '') continue;
    instructions.push([word.toUpperCase(), rest]);
    if (WITH_HEREDOC.test(word)) for (const one of heredocsIn(rest)) dropHeredoc(lines, one);
  }
  return instructions;
}

const WITH_HEREDOC = /^(?:run|copy|add|onbuild)$/i;

/** The escape character. Only directives in the first lines can name another one. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const [, name = '', value = ''] = /^#\s*([A-Za-z][A-Za-z\d]*)\s*=\s*(.+?)\s*$/.exec(line) ?? [];
    if (name === '') break;
    if (name.toLowerCase() === 'escape') return value;
  }
  return '\\';
}

/** Removes the next line with its continuations. Comments between them are left out. null: there is none. */
function logicalLine(lines: string[], escape: string): string | null {
  let joined: string | null = null;
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (/^\s*#/.test(line)) continue;
    if (joined !== null && line.trim() === '') continue;
    const bare = line.trimEnd();
    joined = joined === null ? '' : `${joined} `;
    if (!bare.endsWith(escape) || bare.endsWith(`${escape}${escape}`)) return joined + line;
    joined += bare.slice(0, -1);
  }
  return joined;
}

interface Heredoc {
  /** The line that ends the text. */
  readonly end: string;
  /** True: tabs before the end are ignored. */
  readonly isIndented: boolean;
}

function heredocsIn(rest: string): readonly Heredoc[] {
  return wordsIn(rest).flatMap((word) => {
    const [, dash = '', name = ''] = /^\d*<<(-?)([^<]+)$/.exec(word) ?? [];
    const end = name.replaceAll(/["']/g, '');
    return end === '' ? [] : [{ end, isIndented: dash !== '' }];
  });
}

function wordsIn(rest: string): readonly string[] {
  return rest.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
}

function dropHeredoc(lines: string[], { end, isIndented }: Heredoc): void {
  const at = lines.findIndex((line) => (isIndented ? line.replace(/^\t+/, '') : line) === end);
  lines.splice(0, at === -1 ? lines.length : at + 1);
}

/** The build arguments before the first stage. */
export class GlobalArguments {
  readonly #given: BuildArgs;
  readonly #values = new Map<string, string | null>();

  /** `given`: the values that replace the defaults of the Dockerfile; null: not known before the build. */
  constructor(given: BuildArgs) {
    this.#given = given;
  }

  /** `rest`: the text after ARG, such as `A=1 B`. */
  declare(rest: string): void {
    for (const word of wordsIn(rest)) {
      const [, name = '', set, value = ''] = /^([A-Za-z_]\w*)(=?)(.*)$/.exec(word) ?? [];
      if (Object.hasOwn(this.#given, name)) this.#values.set(name, this.#given[name] ?? null);
      else if (set === '=') this.#values.set(name, this.expand(value.replaceAll(/["']/g, '')));
    }
  }

  /** Replaces the variables whose values are known; the others stay. */
  expand(text: string): string {
    return text.replaceAll(
      /\$(?:(\w+)|\{(\w+)(?::?-([^${}]*))?\})/g,
      (whole, ...[bare, braced, otherwise]: (string | undefined)[]) => {
        const name = bare ?? braced ?? '';
        const value = OF_THE_BUILD.test(name) ? null : this.#values.get(name);
        return (value === undefined ? otherwise : value) ?? whole;
      },
    );
  }
}

/** Arguments that every build has. */
const OF_THE_BUILD = /^(?:TARGET|BUILD)(?:PLATFORM|OS|OSVERSION|ARCH|VARIANT)$/;
