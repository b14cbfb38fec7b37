/**
 * Reads the wrapper's configuration, by default /etc/lifehook/runtime.json. Every key has a default, so the
 * file may be missing; an unknown key, which would be ignored silently, is an error.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { isObject } from '../config/config-text.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { pathTrust } from '../hooksd/path-trust.ts';
import { distrust, type Trust } from '../hooksd/trust.ts';
import {
  DEFAULT_HOOK_SETTINGS,
  DEFAULT_SETTINGS,
  type RuntimeSettings,
} from './runtime-settings.ts';
import { readSettings } from './settings-keys.ts';

/**
 * Throws a LifehookError. A file that other users may write to is refused completely: it names the program
 * that is started as root, and no other setting could allow it.
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
