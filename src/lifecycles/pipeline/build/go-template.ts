/**
 * Expands the part of Go's templates that tags and values of skaffold use: `{{.NAME}}`, `{{index .hooks "a" "B"}}`,
 * pipes, parentheses and a few functions. Everything else is refused with its name, so no template is expanded
 * partially.
 */
import {
  callFunction,
  type TemplateFacts,
  TemplateProblem,
  type Value,
} from './template-functions.ts';

export type TemplateResult =
  | { readonly kind: 'text'; readonly text: string }
  /** The reason is one sentence without its full stop. */
  | { readonly kind: 'wrong'; readonly reason: string };

/** In UTF-16 units. Longer templates are mistakes. */
export const MAX_TEMPLATE_UNITS = 16_384;
const MAX_DEPTH = 16;

/**
 * Expands a template of skaffold.yaml. Worked example: `v-{{ .A | default "none" | upper }}` gives v-NONE without A,
 * and v-B if A is "b".
 */
export async function expandGoTemplate(
  template: string,
  facts: TemplateFacts,
): Promise<TemplateResult> {
  if (template.length > MAX_TEMPLATE_UNITS) {
    return { kind: 'wrong', reason: `it is longer than ${MAX_TEMPLATE_UNITS} characters` };
  }
  try {
    return { kind: 'text', text: await expandParts(template, facts) };
  } catch (error) {
    if (error instanceof TemplateProblem) return { kind: 'wrong', reason: error.message };
    throw error;
  }
}

type Token =
  | { readonly kind: 'field'; readonly path: readonly string[] }
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'mark'; readonly mark: '|' | '(' | ')' };

/** `{{- ` removes the white space before it, ` -}}` that after it. */
async function expandParts(template: string, facts: TemplateFacts): Promise<string> {
  let text = '';
  let at = 0;
  let trims = false;
  for (;;) {
    const start = template.indexOf('{{', at);
    const plain = template.slice(at, start === -1 ? undefined : start);
    text += trims ? plain.trimStart() : plain;
    if (start === -1) return text;
    if (/^\{\{-\s/.test(template.slice(start, start + 4))) text = text.trimEnd();
    const action = readAction(template, start);
    text += shown(await new Evaluation(action.tokens, facts).whole(), action.text);
    at = action.end;
    trims = action.trims;
  }
}

interface Action {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly end: number;
  readonly trims: boolean;
}

const TOKEN =
  /\s*(?:(?<end>(?:\s-)?\}\})|(?<text>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?<field>(?:\.[A-Za-z_]\w*)+)|(?<number>-?\d+)|(?<name>[A-Za-z_]\w*)|(?<mark>[|()]))/y;

function readAction(template: string, start: number): Action {
  const tokens: Token[] = [];
  const opening = /^\{\{-\s/.test(template.slice(start, start + 4)) ? 3 : 2;
  let at = start + opening;
  for (;;) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(template)?.groups;
    if (groups === undefined) {
      throw new TemplateProblem(`"${template.slice(start, start + 40)}" is not understood`);
    }
    at = TOKEN.lastIndex;
    const { end } = groups;
    if (end !== undefined) {
      return { tokens, text: template.slice(start, at), end: at, trims: end.includes('-') };
    }
    tokens.push(tokenOf(groups));
  }
}

function tokenOf({ text, field, number, name, mark }: Record<string, string | undefined>): Token {
  if (text !== undefined) return { kind: 'literal', value: unquoted(text) };
  if (field !== undefined) return { kind: 'field', path: field.slice(1).split('.') };
  if (number !== undefined) return { kind: 'literal', value: Number(number) };
  if (name !== undefined) return { kind: 'name', name };
  return { kind: 'mark', mark: mark as '|' | '(' | ')' };
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  return inner.replaceAll(/\\(.)/g, (found, char: string) => {
    const meant = ESCAPED[char];
    if (meant === undefined) throw new TemplateProblem(`"${found}" is not a known escape`);
    return meant;
  });
}

/** Evaluates one action in one pass over its tokens. */
class Evaluation {
  readonly #tokens: readonly Token[];
  readonly #facts: TemplateFacts;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], facts: TemplateFacts) {
    this.#tokens = tokens;
    this.#facts = facts;
  }

  async whole(): Promise<Value | undefined> {
    const value = await this.#pipeline();
    if (this.#at < this.#tokens.length) throw new TemplateProblem('a ")" closes nothing');
    return value;
  }

  async #pipeline(): Promise<Value | undefined> {
    let value = await this.#call([]);
    while (this.#takes('|')) value = await this.#call([value]);
    return value;
  }

  /** Calls a function. The piped value is its last argument. */
  async #call(piped: readonly (Value | undefined)[]): Promise<Value | undefined> {
    const first = this.#tokens[this.#at];
    if (first?.kind !== 'name') {
      if (piped.length > 0) throw new TemplateProblem('only a function can follow a "|"');
      const value = await this.#term();
      if (this.#isTerm()) throw new TemplateProblem('only a function takes arguments');
      return value;
    }
    this.#at += 1;
    const given: (Value | undefined)[] = [];
    while (this.#isTerm()) given.push(await this.#term());
    return callFunction(first.name, [...given, ...piped], this.#facts);
  }

  #isTerm(): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && (token.kind !== 'mark' || token.mark === '(');
  }

  async #term(): Promise<Value | undefined> {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new TemplateProblem('a value is missing');
    this.#at += 1;
    switch (token.kind) {
      case 'field':
        return fieldOf(this.#facts.data, token.path);
      case 'literal':
        return token.value;
      case 'name':
        return callFunction(token.name, [], this.#facts);
      case 'mark':
        return this.#bracket(token.mark);
      default:
        return token satisfies never;
    }
  }

  async #bracket(mark: string): Promise<Value | undefined> {
    if (mark !== '(') throw new TemplateProblem(`a value is missing before "${mark}"`);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TemplateProblem('its brackets are nested too deeply');
    const value = await this.#pipeline();
    if (!this.#takes(')')) throw new TemplateProblem('a "(" has no ")"');
    this.#depth -= 1;
    return value;
  }

  #takes(mark: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'mark' || token.mark !== mark) return false;
    this.#at += 1;
    return true;
  }
}

/** Reads own properties only, so that "constructor" is not a variable. */
function fieldOf(data: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = data;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Readonly<Record<string, Value>>)[name];
  }
  return value;
}

function shown(value: Value | undefined, action: string): string {
  if (value === undefined) {
    throw new TemplateProblem(`${action} has no value: set it, or give it a value with "default"`);
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
