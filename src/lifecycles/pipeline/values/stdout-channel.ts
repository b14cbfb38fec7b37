/** Reads the set-env lines of one attempt of a hook that opened its stdout for them. */
import { looksSecret } from '../../../model/secrets.ts';
import { MAX_VALUE_BYTES, wrongInValue } from './denied-names.ts';
import { MAX_NAMES } from './env-file.ts';

/** Maximum UTF-16 units of a line. A longer line sets nothing. */
const MAX_COMMAND_UNITS = 2 * MAX_VALUE_BYTES;

export class StdoutChannel {
  readonly values: Map<string, string> = new Map();
  /**
   * The reason why all values of the attempt are refused, as one sentence without its full stop; null: they are
   * accepted.
   */
  refused: string | null = null;
  readonly #secrets: readonly string[];
  #held = '';
  /** Whether the current line is too long: its rest is passed on unchanged. */
  #tooLong = false;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Call with each piece of output. Returns the text of its whole lines, with secret values masked. */
  push(text: string): string {
    const lines = `${this.#held}${text}`.split('\n');
    this.#held = lines.pop() ?? '';
    const shown = lines.map((line) => `${this.#line(line)}\n`).join('');
    if (this.#held.length <= MAX_COMMAND_UNITS) return shown;
    const cut = this.#held;
    this.#held = '';
    this.#tooLong = true;
    return `${shown}${cut}`;
  }

  end(): string {
    const last = this.#held;
    this.#held = '';
    return last === '' ? '' : this.#line(last);
  }

  #line(line: string): string {
    if (this.#tooLong) {
      this.#tooLong = false;
      return line;
    }
    const command = parseSetEnv(line.replace(/\r$/, ''));
    if (command === null) return line;
    const { name, value } = command;
    this.refused ??= wrongInValue(name, value);
    if (this.refused === null) this.values.set(name, value);
    if (this.values.size > MAX_NAMES) this.refused = `at most ${MAX_NAMES} names are allowed`;
    return this.#secrets.includes(name) || looksSecret(name) ? maskSetEnv(line) : line;
  }
}

/**
 * A variable that a line `::set-env name=FOO::BAR` on a hook's stdout sets (PIPE-E1). Only for hooks with
 * `stdoutCommands: true`: otherwise any text on a stdout could set variables.
 */
export interface SetEnv {
  readonly name: string;
  readonly value: string;
}

/**
 * Parses one line; null: it is no set-env line. Leading white space is ignored. Properties are split at "," and then at
 * their first "=". The value starts after the second "::" and keeps its colons (PIPE-E3). %25, %0D and %0A are decoded
 * in values and properties, and %3A and %2C only in properties.
 *
 * Worked examples: "::set-env name=FOO::a::b" sets FOO to "a::b"; "  ::set-env name=N::1%0A2" sets N to two lines; "x
 * ::set-env name=FOO::1", "::set-env::1" and "::warning name=FOO::1" set nothing.
 */
export function parseSetEnv(line: string): SetEnv | null {
  const text = line.trimStart();
  if (!text.startsWith('::')) return null;
  const second = text.indexOf('::', 2);
  if (second === -1) return null;
  const head = text.slice(2, second);
  const space = head.indexOf(' ');
  if (space === -1 || head.slice(0, space) !== 'set-env') return null;
  const name = propertyOf(head.slice(space + 1), 'name');
  if (name === null) return null;
  return { name, value: unescapeData(text.slice(second + 2)) };
}

/** The line as it may be shown if its value is secret. */
export function maskSetEnv(line: string): string {
  const second = line.indexOf('::', line.indexOf('::') + 2);
  return `${line.slice(0, second + 2)}***`;
}

function propertyOf(list: string, wanted: string): string | null {
  for (const property of list.trim().split(',')) {
    const equals = property.indexOf('=');
    if (equals !== -1 && property.slice(0, equals).trim() === wanted) {
      return unescapeProperty(property.slice(equals + 1));
    }
  }
  return null;
}

/** Decodes in a single pass, so that "%250A" becomes "%0A" and not a line feed. */
function unescapeData(text: string): string {
  return text.replaceAll(/%(0D|0A|25)/gi, (_found, code: string) => DATA[code.toUpperCase()] ?? '');
}

function unescapeProperty(text: string): string {
  return text.replaceAll(
    /%(0D|0A|25|3A|2C)/gi,
    (_found, code: string) => DATA[code.toUpperCase()] ?? '',
  );
}

const DATA: Readonly<Record<string, string>> = {
  '0D': '\r',
  '0A': '\n',
  '25': '%',
  '3A': ':',
  '2C': ',',
};
