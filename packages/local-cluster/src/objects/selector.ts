/**
 * Parses label selectors that are texts, such as `a=b,c in (d,e),!f,g>3` in the query parameter `labelSelector`.
 *
 * A selector is a list of requirements, and an object must meet all of them.
 */
import { labelText, qualifiedName } from './metadata-names.ts';

/** A token of a selector's text. */
interface Lexeme {
  /** `name`: a word that is also an operator, such as "in". It cannot be a key. */
  readonly kind: 'word' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const LEXEME = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/gy;
const OPERATOR_WORDS = ['in', 'notin'];

function readLexemes(text: string): readonly Lexeme[] {
  return [...text.matchAll(LEXEME)].map(([, found = '']) => ({ kind: kindOf(found), text: found }));
}

function kindOf(text: string): Lexeme['kind'] {
  if (/^[=!<>(),]/.test(text)) return 'sign';
  return OPERATOR_WORDS.includes(text) ? 'name' : 'word';
}

export interface Requirement {
  readonly key: string;
  readonly operator: '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';
  readonly values: readonly string[];
}

export type SelectorText =
  | { readonly ok: true; readonly requirements: readonly Requirement[] }
  /** `message`: text of the error 400. */
  | { readonly ok: false; readonly message: string };

const REQUIREMENTS_MAX = 1000;

export function parseLabelSelector(text: string): SelectorText {
  const reader = new Reader(readLexemes(text));
  const requirements: Requirement[] = [];
  try {
    while (!reader.done()) {
      requirements.push(requirementOf(reader));
      if (requirements.length > REQUIREMENTS_MAX) {
        throw new Refused(`more than ${REQUIREMENTS_MAX} requirements`);
      }
      readComma(reader);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, message: error.message };
  }
  return { ok: true, requirements };
}

export function matchesRequirements(
  requirements: readonly Requirement[],
  labels: Readonly<Record<string, string>>,
): boolean {
  return requirements.every((requirement) => holds(requirement, labels));
}

export function formatRequirements(requirements: readonly Requirement[]): string {
  return requirements
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(formatRequirement)
    .join(',');
}

/** `value`: the label's value; undefined if the object does not have the label. */
type Test = (value: string | undefined, values: readonly string[]) => boolean;

const isIn: Test = (value, values) => value !== undefined && values.includes(value);
const isNotIn: Test = (value, values) => !isIn(value, values);

const TESTS: Readonly<Record<Requirement['operator'], Test>> = {
  '=': isIn,
  in: isIn,
  '!=': isNotIn,
  notin: isNotIn,
  exists: (value) => value !== undefined,
  '!': (value) => value === undefined,
  '>': (value, values) => comparesTo(value ?? '', '>', values[0] ?? ''),
  '<': (value, values) => comparesTo(value ?? '', '<', values[0] ?? ''),
};

function holds(
  { key, operator, values }: Requirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  return TESTS[operator](Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

function comparesTo(value: string, operator: '>' | '<', bound: string): boolean {
  if (!/^[+-]?\d{1,19}$/.test(value)) return false;
  return operator === '>' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

function formatRequirement({ key, operator, values }: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const set = operator === 'in' || operator === 'notin';
  return set
    ? `${key} ${operator} (${values.toSorted().join(',')})`
    : `${key}${operator}${values[0] ?? ''}`;
}

class Refused extends Error {}

class Reader {
  readonly #lexemes: readonly Lexeme[];
  #next = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  done(): boolean {
    return this.peek().kind === 'end';
  }

  peek(): Lexeme {
    return this.#lexemes[this.#next] ?? { kind: 'end', text: '' };
  }

  take(): Lexeme {
    const lexeme = this.peek();
    this.#next += 1;
    return lexeme;
  }
}

/**
 * Reads one requirement of a label selector. An error inside it has a prefix; an error between two requirements has
 * none.
 */
function requirementOf(reader: Reader): Requirement {
  try {
    return readRequirement(reader);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(`unable to parse requirement: ${error.message}`);
  }
}

function readRequirement(reader: Reader): Requirement {
  const negated = reader.peek().text === '!' && reader.take().kind === 'sign';
  const name = reader.take();
  if (name.kind !== 'word') throw new Refused(`found '${name.text}', expected: identifier`);
  checked(name.text, qualifiedName(name.text));
  const following = reader.peek();
  if (negated) return { key: name.text, operator: '!', values: [] };
  if (following.kind === 'end' || following.text === ',') {
    return { key: name.text, operator: 'exists', values: [] };
  }
  return readOperator(reader, name.text);
}

function readOperator(reader: Reader, key: string): Requirement {
  const { text } = reader.take();
  switch (text) {
    case 'in':
    case 'notin':
      return { key, operator: text, values: readSet(reader) };
    case '=':
    case '==':
    case '!=':
      return { key, operator: text === '!=' ? '!=' : '=', values: [readValue(reader)] };
    case '>':
    case '<':
      return { key, operator: text, values: [readNumber(reader)] };
    default:
      throw new Refused(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** Reads the value of a requirement. A missing one is valid: `a=` requires the empty text. */
function readValue(reader: Reader): string {
  const { kind } = reader.peek();
  if (kind !== 'word' && kind !== 'name') return '';
  const { text } = reader.take();
  return checked(text, labelText(text));
}

function readNumber(reader: Reader): string {
  const value = readValue(reader);
  if (/^[+-]?\d{1,19}$/.test(value)) return value;
  throw new Refused(
    `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  );
}

function readSet(reader: Reader): readonly string[] {
  const open = reader.take();
  if (open.text !== '(') throw new Refused(`found '${open.text}' expected: '('`);
  const { kind, text } = reader.peek();
  if (kind === 'end') throw new Refused(`found '${text}', expected: ',', ')' or identifier`);
  const values = [readValue(reader)];
  for (let sign = reader.take(); sign.text !== ')'; sign = reader.take()) {
    if (sign.text !== ',') throw new Refused(`found '${sign.text}', expected: ',', or ')'`);
    values.push(readValue(reader));
  }
  return [...new Set(values)];
}

function readComma(reader: Reader): void {
  if (reader.done()) return;
  const { text } = reader.take();
  if (text !== ',') throw new Refused(`found '${text}', expected: ',' or 'end of string'`);
  const { kind, text: following } = reader.peek();
  if (kind !== 'word' && following !== '!') {
    throw new Refused(`found '${following}', expected: identifier after ','`);
  }
}

function checked(text: string, faults: readonly string[]): string {
  if (faults.length === 0) return text;
  throw new Refused(`<nil>: Invalid value: ${JSON.stringify(text)}: ${faults.join('; ')}`);
}
