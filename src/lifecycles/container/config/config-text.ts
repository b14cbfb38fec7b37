/**
 * Parses a config.json, and describes the errors in its hooks. The shim runs it too, so it uses nothing that QuickJS
 * lacks.
 */
import type { Problem } from '../../../model/problem.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';

/** Maximum bytes of a config.json. Podman writes 25 KB; hooks and annotations can make the file longer. */
export const CONFIG_MAX_BYTES: number = 16 * 1024 * 1024;

export type ConfigObject = Readonly<Record<string, unknown>>;

export type ConfigReading =
  | { readonly kind: 'read'; readonly config: ConfigObject }
  | { readonly kind: 'refused'; readonly problem: Problem };

const byteOrderMark = '\u00EF\u00BB\u00BF';

/**
 * Parses a config.json. Big integers lose digits in the parsed values: decide by the values, but never write them back.
 */
export function readConfig(text: ByteText): ConfigReading {
  if (text.startsWith(byteOrderMark)) return notJson('it begins with a byte order mark');
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(text));
  } catch (error) {
    return notJson(errorText(error));
  }
  if (isObject(value)) return { kind: 'read', config: value };
  return notJson('its top level is not an object');
}

export function isObject(value: unknown): value is ConfigObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notJson(detail: string): ConfigReading {
  const problem: Problem = {
    code: 'LHC201',
    severity: 'error',
    message: `config.json must be one JSON object without a byte order mark, but ${detail}.`,
    next: 'Generate config.json again with the tool that created the bundle.',
  };
  return { kind: 'refused', problem };
}

/**
 * An error in the `hooks` member or in one of its stages, without the position, which only the reader of the file
 * knows.
 */
export type UnplacedProblem = Pick<Problem, 'code' | 'message' | 'next'>;

export function namedTwice(name: string, key: string): UnplacedProblem {
  return {
    code: 'LHC202',
    message: `config.json must name "${name}" once and in this spelling, but "${key}" is there as well: runc and crun would disagree on which one counts.`,
    next: `Keep one member called "${name}".`,
  };
}

export function wrongKind(name: string, wanted: string): UnplacedProblem {
  return {
    code: 'LHC203',
    message: `"${name}" in config.json must be ${wanted} or null, but is something else.`,
    next: `Make "${name}" ${wanted}, or remove it.`,
  };
}
