/**
 * Reads the wrapper's configuration, by default /etc/lifehook/runtime.json. Every key has a default, so the
 * file may be missing; an unknown key, which would be ignored silently, is an error.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { type ConfigObject, isObject } from '../config/config-text.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { distrust, pathTrust, type Trust } from '../hooksd/path-trust.ts';
import { onFailureChoices } from './hook-command.ts';
import {
  DEFAULT_HOOK_SETTINGS,
  DEFAULT_SETTINGS,
  type HookSettings,
  type RuntimeSettings,
} from './runtime-settings.ts';

/**
 * Throws a LifehookError. Always refuses a file that other users may write to, since it names the program that is
 * started as root. No setting can allow such a file.
 */
export async function loadSettings(
  files: Files,
  path: string,
  owners: Trust['owners'],
): Promise<RuntimeSettings> {
  let text: string;
  try {
    text = await files.read(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return DEFAULT_SETTINGS;
    throw refuse(path, `it cannot be read (${codeOf(error) ?? String(error)})`);
  }
  const trust = { owners, allowUntrusted: false };
  const untrusted =
    (await pathTrust(files, trust).above(path)) ?? distrust(path, await files.stat(path), trust);
  if (untrusted !== undefined) throw new LifehookError(notTrusted(untrusted));
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(text));
  } catch (error) {
    throw refuse(path, errorText(error));
  }
  if (!isObject(value)) throw refuse(path, 'it is not an object');
  const settings = readSettings(value, DEFAULT_SETTINGS, DEFAULT_HOOK_SETTINGS);
  if (typeof settings === 'string') throw refuse(path, settings);
  const hooksDirs = settings.hooksDirs.map(withoutEndSlash);
  const podmanHooksDirs = settings.podmanHooksDirs.map(withoutEndSlash);
  return { ...settings, hooksDirs, podmanHooksDirs };
}

function withoutEndSlash(folder: string): string {
  return folder.replace(/(?<=.)\/+$/, '');
}

function notTrusted(problem: Problem): Problem {
  return { ...problem, code: 'LHC311', next: problem.next.replace(/, or allow.*$/, '.') };
}

function refuse(path: string, why: string): LifehookError {
  return new LifehookError({
    code: 'LHC310',
    message: `${path} must be a JSON object with the settings of lifehook-runtime, but ${why}.`,
    at: { file: path, line: 1, column: 1 },
    next: 'Correct the file; docs/container.md lists the settings.',
  });
}

/** Returns an error as a string without its subject: the caller writes the file's name before it. */
function readSettings(
  value: ConfigObject,
  defaults: RuntimeSettings,
  hookDefaults: HookSettings,
): RuntimeSettings | string {
  const wrong = firstWrong(value, settingsKeys);
  if (wrong !== null) return wrong;
  const { hooks, ...rest } = value;
  const named: Record<string, HookSettings> = {};
  for (const [name, hook] of Object.entries(isObject(hooks) ? hooks : {})) {
    if (isObject(hook)) named[name] = { ...hookDefaults, ...hook };
  }
  // `firstWrong` has checked every key and the type of its value.
  return { ...defaults, ...rest, hooks: named };
}

/** The kind of value that a setting needs, in words, and its test. */
interface Kind {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

/** Maximum retries. More could delay a container for hours, since each attempt has the hook's whole timeout. */
const RETRIES_MAX = 20;

const absolutePath: Kind = { words: 'an absolute path', holds: isAbsolutePath };
const absolutePaths: Kind = {
  words: 'a list of absolute paths',
  holds: (value) => Array.isArray(value) && value.every(isAbsolutePath),
};
const flag: Kind = { words: 'true or false', holds: (value) => typeof value === 'boolean' };

const hookKeys: Readonly<Record<keyof HookSettings, Kind>> = {
  onFailure: oneOf(onFailureChoices),
  retries: {
    words: `a whole number from 0 to ${RETRIES_MAX}`,
    holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= RETRIES_MAX,
  },
};

const settingsKeys: Readonly<Record<keyof RuntimeSettings, Kind>> = {
  runtime: {
    words: 'a path, a name or null',
    holds: (value) => value === null || (typeof value === 'string' && value !== ''),
  },
  hooksDirs: absolutePaths,
  podmanHooksDirs: absolutePaths,
  exitsDirs: absolutePaths,
  index: absolutePath,
  spool: absolutePath,
  prestart: oneOf(['createRuntime', 'keep']),
  wrap: flag,
  missingBinary: oneOf(['skip', 'fail']),
  invalidFile: oneOf(['fail', 'skip']),
  allowWritableByOthers: flag,
  hooks: {
    words: `an object whose keys are names of hook files, each with ${Object.keys(hookKeys).join(' and ')}`,
    holds: (value) =>
      isObject(value) &&
      Object.values(value).every((hook) => isObject(hook) && firstWrong(hook, hookKeys) === null),
  },
};

function firstWrong(value: ConfigObject, keys: Readonly<Record<string, Kind>>): string | null {
  for (const [key, found] of Object.entries(value)) {
    const kind = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (kind === undefined) {
      return `"${key}" is no setting; there are ${Object.keys(keys).join(', ')}`;
    }
    if (!kind.holds(found)) return `"${key}" must be ${kind.words}`;
  }
  return null;
}

function oneOf(choices: readonly string[]): Kind {
  return {
    words: choices.map((choice) => JSON.stringify(choice)).join(' or '),
    holds: (value) => typeof value === 'string' && choices.includes(value),
  };
}

function isAbsolutePath(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('/') && !value.includes('\0');
}
