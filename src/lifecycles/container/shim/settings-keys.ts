/** Converts the JSON object of the wrapper's configuration into settings, key by key. */
import { isObject, type ConfigObject } from '../config/config-text.ts';
import { onFailureChoices } from './hook-command.ts';
import type { HookSettings, RuntimeSettings } from './runtime-settings.ts';

/** Returns an error as a string without its subject: the caller puts the name of the file before it. */
export function readSettings(
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
  // firstWrong has checked every key and the type of its value.
  return { ...defaults, ...rest, hooks: named };
}

/** The required kind of a value, in words, and its test. */
interface Kind {
  readonly words: string;
  readonly holds: (value: unknown) => boolean;
}

/** More could delay a container for hours; each attempt has the hook's whole timeout. */
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
    words: `an object of hook file names, each with ${Object.keys(hookKeys).join(' and ')}`,
    holds: (value) =>
      isObject(value) &&
      Object.values(value).every((hook) => isObject(hook) && firstWrong(hook, hookKeys) === null),
  },
};

function firstWrong(value: ConfigObject, keys: Readonly<Record<string, Kind>>): string | null {
  for (const [key, found] of Object.entries(value)) {
    const kind = keys[key];
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
