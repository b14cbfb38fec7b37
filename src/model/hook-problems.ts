import { nearestWord } from './nearest-word.ts';
import type { Source } from './hook.ts';
import { type Problem, shownText } from './problem.ts';

/** The issues that a schema has found, and the data for their conversion into problems. */
export interface Findings {
  readonly issues: readonly Issue[];
  /** The validated value, in which received parts are looked up. */
  readonly value: unknown;
  readonly source: Source;
  /** The permitted keys of each object, by its path without list indexes. */
  readonly knownKeys: Readonly<Record<string, readonly string[]>>;
}

/** The fields of a zod issue that are used here. */
export interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  /** The requirement that the value violates. */
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
}

/** Maximum number of reported problems: users do not read more, and the first ones often cause the rest. */
const problemsMax = 20;
/** Maximum number of problems that are compared to find repetitions, which takes quadratic time. */
const issuesMax = 200;
/** Maximum number of characters of a quoted text; a longer text is described instead. */
const shownCharactersMax = 40;

export function hookProblems(findings: Findings): readonly Problem[] {
  const problems = findings.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? (issue.keys ?? []).map((key) => unknownKey(key, issue, findings))
      : [wrongValue(issue, findings)],
  );
  // A part that violates its rule twice is still one problem.
  const isFirst = (problem: Problem, index: number): boolean =>
    problems.findIndex(({ message }) => message === problem.message) === index;
  return problems.slice(0, issuesMax).filter(isFirst).slice(0, problemsMax);
}

function unknownKey(key: string, issue: Issue, { source, knownKeys }: Findings): Problem {
  const parent = issue.path.filter((part) => typeof part === 'string').join('.');
  const known = knownKeys[parent] ?? [];
  const meant = nearestWord(key, known);
  const path = spell([...issue.path, key]);
  const listed = `it must be one of ${known.join(', ')}`;
  return {
    code: 'LHG021',
    severity: 'error',
    message: `${path} is not known: ${listed}; received ${describe(key, path)}.`,
    ...place(source, path),
    next: meant === null ? 'Remove it.' : `Did you mean "${meant}"?`,
  };
}

function wrongValue(issue: Issue, { value, source }: Findings): Problem {
  const path = spell(issue.path);
  const received = issue.path.reduce<unknown>(partOf, value);
  const words = (issue.values ?? []).filter((word) => typeof word === 'string');
  const meant = typeof received === 'string' ? nearestWord(received, words) : null;
  const subject = path === '' ? 'the hook' : path;
  return {
    code: 'LHG020',
    severity: 'error',
    message: `${subject} must be ${issue.message}; received ${describe(received, path)}.`,
    ...place(source, path),
    next: meant === null ? nextStep(received, subject) : `Did you mean "${meant}"?`,
  };
}

function nextStep(received: unknown, subject: string): string {
  return received === undefined ? `Add ${subject}.` : `Correct ${subject}.`;
}

function place(source: Source, path: string): Pick<Problem, 'at' | 'path'> {
  if (source.kind === 'object') return { path };
  const { file, line, column } = source;
  return { path, at: { file, line, column } };
}

/** Example: `handler.httpGet.httpHeaders[0].name` */
function spell(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

function partOf(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<PropertyKey, unknown>>)[key];
}

function describe(received: unknown, path: string): string {
  if (received === undefined) return 'nothing';
  if (Array.isArray(received)) return `a list of ${received.length}`;
  if (typeof received === 'string') return describeText(received, path);
  if (received === null || typeof received === 'number' || typeof received === 'boolean') {
    return String(received);
  }
  if (typeof received !== 'object') return `a ${typeof received}`;
  const keys = Object.keys(received).join(', ');
  return keys === '' ? 'an empty object' : `an object with ${shownText(keys, shownCharactersMax)}`;
}

/** The received text for a message. The value of a header is not quoted, since it may be a secret. */
function describeText(received: string, path: string): string {
  return received.length > shownCharactersMax || path.endsWith('.value')
    ? `a string of ${received.length} characters`
    : JSON.stringify(received);
}
