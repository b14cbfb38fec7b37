/** The set-env lines of one attempt of a hook that opened its stdout for them. */
import { looksSecret } from '../../../model/secrets.ts';
import { MAX_VALUE_BYTES, wrongInValue } from './denied-names.ts';
import { MAX_NAMES } from './env-file.ts';
import { maskSetEnv, parseSetEnv } from './set-env.ts';

/** A longer line sets nothing, UTF-16 units. */
const MAX_COMMAND_UNITS = 2 * MAX_VALUE_BYTES;

export class StdoutChannel {
  readonly values: Map<string, string> = new Map();
  /** Why nothing of it counts; null: all is well. One sentence without its full stop. */
  refused: string | null = null;
  readonly #secrets: readonly string[];
  #held = '';
  /** The line has been too long: what is left of it is passed on as it is. */
  #tooLong = false;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Takes whole lines; what may be shown of them comes back, a secret value masked. */
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
    if (this.values.size > MAX_NAMES) this.refused = `at most ${MAX_NAMES} names are kept`;
    return this.#secrets.includes(name) || looksSecret(name) ? maskSetEnv(line) : line;
  }
}
