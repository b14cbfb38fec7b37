/**
 * Reads the file that LIFEHOOK_ENV names: its entries are set as variables for later hooks (PIPE-E1). Pure.
 *
 * NAME=VALUE on one line, the value being all after the first "="; or, for values of several lines,
 *   NAME<<END
 *   first line
 *   END
 * A line has the second form if "<<" precedes any "=". Empty lines are skipped. A single error makes the whole file
 * invalid, since it would be wrong to apply only some of a hook's values.
 */
import { isObject } from '../../../kube/fields.ts';
import { wrongInValue } from './denied-names.ts';

export type ReadValues =
  | { readonly kind: 'read'; readonly values: Readonly<Record<string, string>> }
  /** The reason is one sentence without its full stop, and never contains a value. */
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

/** Maximum bytes of one file. */
export const MAX_ENV_FILE_BYTES = 1_048_576;

/** Maximum number of names in one file. */
export const MAX_NAMES = 1_000;

/** Parses the file. Worked example: "A=1=2\nB<<X\nl1\nl2\nX\n" sets A to "1=2" and B to "l1\nl2". */
export function readEnvFile(text: string): ReadValues {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const values = new Map<string, string>();
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const begun = at + 1;
    at += 1;
    if (line === '') continue;
    const entry = readEntry(line, lines, at);
    if ('reason' in entry) return { kind: 'refused', line: begun, reason: entry.reason };
    const wrong = wrongInValue(entry.name, entry.value);
    if (wrong !== null) return { kind: 'refused', line: begun, reason: wrong };
    values.set(entry.name, entry.value);
    if (values.size > MAX_NAMES) {
      return { kind: 'refused', line: begun, reason: `at most ${MAX_NAMES} names are allowed` };
    }
    at = entry.next;
  }
  return { kind: 'read', values: Object.fromEntries(values) };
}

type Entry = { name: string; value: string; next: number } | { reason: string };

function readEntry(line: string, lines: readonly string[], next: number): Entry {
  const equals = line.indexOf('=');
  const arrows = line.indexOf('<<');
  if (arrows === -1 && equals === -1) {
    return { reason: 'a line is NAME=VALUE, or NAME<<END with the value on the lines up to END' };
  }
  if (arrows === -1 || (equals !== -1 && equals < arrows)) {
    return { name: line.slice(0, equals), value: line.slice(equals + 1), next };
  }
  const name = line.slice(0, arrows);
  const delimiter = line.slice(arrows + 2);
  if (delimiter === '')
    return { reason: 'a delimiter must follow "<<", and end the value on a line of its own' };
  const end = lines.indexOf(delimiter, next);
  if (end === -1) return { reason: `the delimiter after "<<" has no closing line` };
  return { name, value: lines.slice(next, end).join('\n'), next: end + 1 };
}

/**
 * A value in the file that LIFEHOOK_OUTPUT names: one JSON object of typed values, for templates (`{{ .hooks.build.port
 * }}`). Outputs are not variables: no output reaches an environment by itself.
 */
export type OutputValue =
  | string
  | number
  | boolean
  | null
  | readonly OutputValue[]
  | { readonly [name: string]: OutputValue };

export type Outputs = Readonly<Record<string, OutputValue>>;

export type ReadOutputs =
  | { readonly kind: 'read'; readonly outputs: Outputs }
  | { readonly kind: 'refused'; readonly reason: string };

/** Maximum bytes of one file. */
export const MAX_OUTPUT_FILE_BYTES = 1_048_576;

/** The outputs in the text of a file. An empty file means that the hook has no outputs. */
export function readOutputsFile(text: string): ReadOutputs {
  if (text.trim() === '') return { kind: 'read', outputs: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message would quote the text, which may contain a secret.
    return { kind: 'refused', reason: 'it is not JSON' };
  }
  if (!isObject(parsed)) return { kind: 'refused', reason: 'it must be one JSON object' };
  return { kind: 'read', outputs: parsed };
}
