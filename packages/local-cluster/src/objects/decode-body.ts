/**
 * Parses the body of a request: JSON or YAML by its content type, with a limit on depth. Also returns the paths of
 * duplicate fields, which the parsed object no longer shows.
 */
import type { Json } from '../../../../src/kube/object.ts';
import { badRequest, type DecodeFailure } from './decode.ts';
import { isTooDeep } from './patch/json-value.ts';

export type ParsedBody =
  | { readonly kind: 'parsed'; readonly body: Json; readonly duplicates: readonly string[] }
  | DecodeFailure;

const JSON_TYPES: readonly string[] = ['', '*/*', 'application/json'];
const YAML_TYPES: readonly string[] = ['application/yaml', 'application/apply-patch+yaml'];
const TAKEN_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const SUMMARY_CHARS = 30;

/** Parses the body of a request. `kind` is the expected kind, for messages. */
export async function parseBody(
  text: string,
  contentType: string,
  kind: string,
): Promise<ParsedBody> {
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (JSON_TYPES.includes(mediaType)) return parseJson(text, kind);
  if (YAML_TYPES.includes(mediaType)) return parseYaml(text, kind);
  return {
    kind: 'failed',
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${TAKEN_TYPES.join(', ')}`,
  };
}

function parseJson(text: string, kind: string): ParsedBody {
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch (error) {
    return unrecognized(text, kind, `json parse error: ${jsonFault(text, error)}`);
  }
  if (isTooDeep(body)) return unrecognized(text, kind, 'json parse error: exceeded max depth');
  return { kind: 'parsed', body, duplicates: duplicateFields(text, body) };
}

/** The error text of a real server for the usual cases. Most bodies that are not JSON are truncated JSON. */
export function jsonFault(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, position = ''] = /position (\d+)/.exec(message) ?? [];
  const cut = text.trim() === '' || /end of JSON input|^Unterminated/.test(message);
  if (cut || Number(position) >= text.trimEnd().length) return 'unexpected end of JSON input';
  if (position === '') return message;
  const sign = text.charAt(Number(position));
  return `invalid character '${sign}' looking for beginning of value`;
}

/** Loads the YAML parser only when needed: kubectl sends JSON, and only hand-written requests have YAML. */
async function parseYaml(text: string, kind: string): Promise<ParsedBody> {
  // JSON is also YAML. The JSON parser is much faster, and reads numbers as JSON defines them.
  if (text.trimStart().startsWith('{')) return parseJson(text, kind);
  const { readYaml } = await import('./decode-yaml.ts');
  const yaml = await readYaml(text);
  if (yaml.kind === 'failed') return unrecognized(text, kind, `yaml parse error: ${yaml.message}`);
  if (isTooDeep(yaml.body)) return unrecognized(text, kind, 'yaml parse error: exceeded max depth');
  return { kind: 'parsed', body: yaml.body, duplicates: yaml.duplicates };
}

function unrecognized(text: string, kind: string, why: string): DecodeFailure {
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; ${why} (${summary(text)})`,
  );
}

/** The first bytes of the body for an error message: as text if they may be an object, else in hex. */
function summary(text: string): string {
  if (text === '') return '<empty>';
  const shown = text.startsWith('{') ? text : hex(text.slice(0, SUMMARY_CHARS + 1));
  const limit = text.startsWith('{') ? SUMMARY_CHARS : SUMMARY_CHARS * 2;
  return shown.length > limit ? `${shown.slice(0, limit)} ...` : shown;
}

function hex(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/**
 * An object or list whose end the search for duplicate fields has not reached. JSON.parse silently keeps the last
 * duplicate; a strict API server refuses them.
 *
 * The text must be valid JSON, because the search only follows its punctuation.
 */
interface Open {
  /** Names seen in an object; null for a list. */
  readonly names: Set<string> | null;
  readonly path: string;
  /** Name of the next value in an object. */
  current: string;
  index: number;
  /** True if the next string is a name. */
  expectsName: boolean;
}

/** Maximum number of duplicate fields that are listed. */
const DUPLICATES_MAX = 100;
/** A string or punctuation. Other values are skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** The end of a name. It can also match inside a string that has an escaped quote. */
const NAME_END = /"\s*:/g;

/**
 * Paths of duplicate fields, such as `spec.containers[0].image`, in the order of the text. `value`: the result of
 * JSON.parse.
 */
export function duplicateFields(text: string, value: Json): readonly string[] {
  // With a duplicate the text has more names than the value has fields. Counting them is 4 times as fast as following
  // the punctuation.
  if ((text.match(NAME_END)?.length ?? 0) === fieldCount(value)) return [];
  const found: string[] = [];
  const open: Open[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === '{' || token === '[') open.push(opened(token, pathOf(inner)));
    else if (token === '}' || token === ']') open.pop();
    else if (inner !== undefined) read(token, inner, found);
  }
  return found;
}

function fieldCount(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) count += fieldCount(part);
  return count;
}

function opened(token: '{' | '[', path: string): Open {
  const names = token === '{' ? new Set<string>() : null;
  return { names, path, current: '', index: 0, expectsName: names !== null };
}

function read(token: string, inner: Open, found: string[]): void {
  if (token === ',') {
    inner.index += 1;
    inner.expectsName = inner.names !== null;
  } else if (inner.expectsName && token.startsWith('"')) {
    inner.expectsName = false;
    enter(inner, JSON.parse(token) as string, found);
  }
}

function enter(object: Open, name: string, found: string[]): void {
  object.current = name;
  if (object.names?.has(name) === true && found.length < DUPLICATES_MAX) {
    const path = pathOf(object);
    if (!found.includes(path)) found.push(path);
  }
  object.names?.add(name);
}

/** The path of the next value. */
function pathOf(outer: Open | undefined): string {
  if (outer === undefined) return '';
  if (outer.names === null) return `${outer.path}[${outer.index}]`;
  return outer.path === '' ? outer.current : `${outer.path}.${outer.current}`;
}
