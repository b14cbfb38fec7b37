/**
 * The wrapper's configuration, by default /etc/lifehook/runtime.json. Every key has a default, so the
 * file may be missing; an unknown key, which would be ignored silently, is an error.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { isObject } from '../config/config-text.ts';
import { decodeUtf8 } from '../config/byte-text.ts';
import type { LoadPolicy } from '../hooksd/load.ts';
import type { PrestartMode } from '../hooksd/select.ts';
import { distrust, type Trust } from '../hooksd/trust.ts';
import { DEFAULT_HOOK_FOLDERS } from '../points.ts';
import { readSettings } from './settings-keys.ts';
import type { OnFailure } from './hook-command.ts';

export const SETTINGS_PATH = '/etc/lifehook/runtime.json';
/** Names another configuration file, for tests and for several installations on one machine. */
export const SETTINGS_PATH_VARIABLE = 'LIFEHOOK_RUNTIME_CONFIG';

export interface RuntimeSettings {
  /** The real runtime: its path, or its name in the usual folders. null: runc, else crun. */
  readonly runtime: string | null;
  /** In increasing precedence. */
  readonly hooksDirs: readonly string[];
  readonly index: string;
  /** The folder that takes one record for each hook run. */
  readonly spool: string;
  readonly prestart: PrestartMode;
  /** false: hooks go into config.json as they are, without the runner. */
  readonly wrap: boolean;
  readonly missingBinary: LoadPolicy['brokenHooks'];
  readonly invalidFile: 'fail' | 'skip';
  readonly allowWritableByOthers: boolean;
  /** By the name of the hook file. */
  readonly hooks: Readonly<Record<string, HookSettings>>;
}

export interface HookSettings {
  readonly onFailure: OnFailure;
  /** Further attempts after the first; only with onFailure "retry". */
  readonly retries: number;
}

/** What holds for a hook file that the configuration does not name. */
export const DEFAULT_HOOK_SETTINGS: HookSettings = { onFailure: 'fail', retries: 3 };

export const DEFAULT_SETTINGS: RuntimeSettings = {
  runtime: null,
  hooksDirs: DEFAULT_HOOK_FOLDERS,
  index: '/var/lib/lifehook/hooks.index',
  spool: '/run/lifehook/hooks',
  prestart: 'createRuntime',
  wrap: true,
  missingBinary: 'skip',
  invalidFile: 'fail',
  allowWritableByOthers: false,
  hooks: {},
};

/**
 * Throws a LifehookError. A file that others may write to is refused as a whole: it names the program
 * that is started as root, and there is nobody left to allow it explicitly.
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
  const untrusted = distrust(path, await files.stat(path), { owners, allowUntrusted: false });
  if (untrusted !== undefined) throw new LifehookError(notTrusted(untrusted));
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(text));
  } catch (error) {
    throw refuse(path, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(value)) throw refuse(path, 'it is not an object');
  const settings = readSettings(value, DEFAULT_SETTINGS, DEFAULT_HOOK_SETTINGS);
  if (typeof settings === 'string') throw refuse(path, settings);
  const hooksDirs = settings.hooksDirs.map((folder) => folder.replace(/(?<=.)\/+$/, ''));
  return { ...settings, hooksDirs };
}

function notTrusted(problem: Problem): Problem {
  return { ...problem, code: 'LHC311', next: problem.next.replace(/, or allow.*$/, '.') };
}

function refuse(path: string, why: string): LifehookError {
  return new LifehookError({
    code: 'LHC310',
    severity: 'error',
    message: `${path} must be a JSON object with the settings of lifehook-runtime, but ${why}.`,
    at: { file: path, line: 1, column: 1 },
    next: 'Correct the file; docs/container.md lists the settings.',
  });
}
