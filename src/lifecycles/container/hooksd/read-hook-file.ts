/**
 * Reads one hooks.d file from bytes into a `HookFile`, or returns all errors of the first check that fails: of the
 * syntax, the types, the values. The version decides the schema: missing, "" and "0.1.0" are the old one, "1.0.0" the
 * new one (reference: read.go).
 */
import type { Problem } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import type { Compile } from '../../../model/pattern.ts';
import { problemsOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';
import { read010, read100, type HookParts } from './hook-schemas.ts';
import { fieldOf, readObjects, readText, type Decoder } from './json-fields.ts';
import { type JsonObject, type JsonReading, locator, readJson } from './json-text.ts';

export const HOOK_FILE_MAX_BYTES = 1_048_576;

/** A hook file's content and location. */
export interface HookSource {
  readonly folder: string;
  readonly name: string;
  readonly text: ByteText;
}

export type HookReading =
  | { readonly ok: true; readonly file: HookFile }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function pathOf({ folder, name }: { folder: string; name: string }): string {
  return `${folder}/${name}`;
}

export function readHookFile(source: HookSource, compile: Compile): HookReading {
  const locate = locator(pathOf(source), source.text);
  if (source.text.length > HOOK_FILE_MAX_BYTES) {
    return { ok: false, problems: [tooLarge(pathOf(source), source.text.length)] };
  }
  const json = readJson(source.text);
  if (!json.ok) return { ok: false, problems: [syntaxProblem(json, locate)] };

  const decoder: Decoder = { locate, problems: [], positions: {} };
  const root = readObjects(decoder, { path: '', values: [json.value] });
  const parts = readParts(decoder, root);
  if (parts === undefined || decoder.problems.length > 0) {
    return { ok: false, problems: decoder.problems };
  }
  const { folder, name } = source;
  const file: HookFile = { name, folder, ...parts, positions: decoder.positions };
  const problems = problemsOf(file, compile);
  return problems.length === 0 ? { ok: true, file } : { ok: false, problems };
}

function readParts(decoder: Decoder, root: readonly JsonObject[]): HookParts | undefined {
  const schema = readSchema(decoder, root);
  if (schema === undefined) return undefined;
  return schema === '0.1.0' ? read010(decoder, root) : read100(decoder, root);
}

export function readSchema(
  decoder: Decoder,
  root: readonly JsonObject[],
): HookFile['schema'] | undefined {
  const version = readText(decoder, fieldOf(root, 'version', 'version'));
  if (decoder.problems.length > 0) return undefined;
  if (version === '' || version === '0.1.0') return '0.1.0';
  if (version === '1.0.0') return '1.0.0';
  decoder.problems.push({
    code: 'LHC103',
    severity: 'error',
    message: `version must be "1.0.0", "0.1.0" or absent, but is ${JSON.stringify(version)}.`,
    at: decoder.positions['version'] ?? decoder.locate(0),
    next: 'Write the version of the schema that the file follows.',
  });
  return undefined;
}

function syntaxProblem(
  { at, expected, found }: Extract<JsonReading, { ok: false }>,
  locate: Decoder['locate'],
): Problem {
  return {
    code: 'LHC101',
    severity: 'error',
    message: `The file is not JSON: expected ${expected}, found ${found}.`,
    at: locate(at),
    next: 'Correct the file at this place.',
  };
}

export function tooLarge(path: string, bytes: number): Problem {
  return {
    code: 'LHC110',
    severity: 'error',
    message: `A hook file has at most ${HOOK_FILE_MAX_BYTES} bytes; this one has ${bytes}.`,
    at: { file: path, line: 1, column: 1 },
    next: 'Remove what is not part of the hook, or split the file.',
  };
}
