/**
 * Prints the demonstration: acts, the commands that a user would type, facts, and a tick for each claim. On a terminal
 * a last line shows the current state. Other outputs get only permanent lines.
 */
import { styleText } from 'node:util';

import { isColoured } from '../terminal-text.ts';

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface NarratorOptions {
  readonly screen: Screen;
  /** The environment of this process: the locale variables, NO_COLOR and TERM. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Colour = 'bold' | 'cyan' | 'dim' | 'green' | 'red';

const INDENT = '   ';
/** Columns; used if the terminal does not report its width. */
const USUAL_COLUMNS = 80;
const CLEAR_LINE = '\r\u001B[2K';

export class Narrator {
  readonly #screen: Screen;
  readonly #lives: boolean;
  readonly #colours: boolean;
  readonly #marks: { readonly held: string; readonly broken: string; readonly live: string };
  #acts = 0;
  #made = 0;
  #held = 0;

  constructor({ screen, env }: NarratorOptions) {
    this.#screen = screen;
    this.#lives = screen.isTTY === true && env['TERM'] !== 'dumb';
    this.#colours = isColoured(screen, env);
    this.#marks = marksFor(env);
  }

  /** Number of claims, and number of claims that held. */
  get claims(): { readonly made: number; readonly held: number } {
    return { made: this.#made, held: this.#held };
  }

  line(text: string = ''): void {
    this.clearLive();
    this.#screen.write(`${text}\n`);
  }

  act(title: string): void {
    this.#acts += 1;
    this.line(`\n${this.#in('bold', `${this.#acts}  ${title}`)}`);
  }

  /** Prints a command as the user would type it. */
  command(text: string): void {
    this.line(`${INDENT}${this.#in('cyan', `$ ${text}`)}`);
  }

  fact(text: string): void {
    this.line(`${INDENT}${this.#in('dim', text)}`);
  }

  /** Prints a claim and whether it holds. `otherwise`: the observed facts, printed if it does not hold. */
  claim(text: string, holds: boolean, otherwise: string = ''): void {
    this.#made += 1;
    if (holds) this.#held += 1;
    const { held, broken } = this.#marks;
    const mark = holds ? this.#in('green', held) : this.#in('red', broken);
    this.line(`${INDENT}${mark} ${text}${holds || otherwise === '' ? '' : `: ${otherwise}`}`);
  }

  /** Shows the current state, until the next state or any other line replaces it. */
  live(text: string): void {
    if (!this.#lives) return;
    const columns = (this.#screen.columns ?? USUAL_COLUMNS) - INDENT.length - 1;
    const line = `${this.#marks.live} ${text}`.slice(0, columns);
    this.#screen.write(`${CLEAR_LINE}${INDENT}${this.#in('dim', line)}`);
  }

  clearLive(): void {
    if (this.#lives) this.#screen.write(CLEAR_LINE);
  }

  #in(colour: Colour, text: string): string {
    return this.#colours ? styleText(colour, text, { validateStream: false }) : text;
  }
}

/** The marks: plain characters in a locale without UTF-8, because the terminal may not show others. */
function marksFor({ LC_ALL, LC_CTYPE, LANG }: NarratorOptions['env']): {
  readonly held: string;
  readonly broken: string;
  readonly live: string;
} {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((name) => name !== undefined && name !== '') ?? '';
  return /utf-?8/i.test(locale)
    ? { held: '✓', broken: '✗ NOT SO:', live: '…' }
    : { held: 'ok', broken: 'NOT SO:', live: '...' };
}
