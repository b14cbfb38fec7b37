/**
 * Manages the files through which one attempt of a host hook returns values. They are created before the attempt, and
 * read after its success.
 */
import { decodeUtf8File, encodeUtf8 } from '../../../platform/byte-text.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import {
  MAX_ENV_FILE_BYTES,
  MAX_OUTPUT_FILE_BYTES,
  type Outputs,
  readEnvFile,
  readOutputsFile,
} from './env-file.ts';

export const ENV_FILE = 'LIFEHOOK_ENV';
export const OUTPUT_FILE = 'LIFEHOOK_OUTPUT';

export interface HostChannels {
  /** The path of each file, keyed by its variable. */
  readonly variables: Readonly<Record<string, string>>;
}

const OWNER_ONLY = 0o600;
const OWNER_FOLDER = 0o700;

export interface ChannelPlace {
  /** A directory that only this user can access. It is created if it does not exist. */
  readonly folder: string;
  /** The prefix of the attempt's file names. A directory for each attempt would cost more than the files. */
  readonly attempt: string;
}

/**
 * Creates new files that only this user can read. `lists`: the text of further files with input for the hook, keyed by
 * variable.
 */
export async function openHostChannels(
  files: Files,
  { folder, attempt }: ChannelPlace,
  lists: Readonly<Record<string, string>>,
): Promise<HostChannels> {
  await files.makeFolder(folder, OWNER_FOLDER);
  const contents = { [ENV_FILE]: '', [OUTPUT_FILE]: '', ...lists };
  const variables: Record<string, string> = {};
  for (const [name, text] of Object.entries(contents)) {
    const path = `${folder}/${attempt}-${name.toLowerCase()}`;
    await files.create(path, encodeUtf8(text), OWNER_ONLY);
    variables[name] = path;
  }
  return { variables };
}

/**
 * Removes the files, even if the hook has changed or removed them. A file that cannot be removed now is removed with
 * the session's directory.
 */
export async function closeHostChannels(files: Files, { variables }: HostChannels): Promise<void> {
  for (const path of Object.values(variables)) await files.remove(path).catch(() => undefined);
}

export type HostValues =
  | {
      readonly kind: 'read';
      readonly values: Readonly<Record<string, string>>;
      readonly outputs: Outputs;
    }
  /** The reason is one sentence without its full stop. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Reads the values that the hook has written. Call it only after exit code 0, since the files of a failed hook may be
 * incomplete.
 */
export async function readHostChannels(
  files: Files,
  { variables }: HostChannels,
): Promise<HostValues> {
  const env = await readBounded(files, variables[ENV_FILE] ?? '', MAX_ENV_FILE_BYTES);
  if (env === null)
    return refused(
      `the file ${ENV_FILE} has more than ${MAX_ENV_FILE_BYTES} bytes, or is no file any more`,
    );
  const read = readEnvFile(env);
  if (read.kind === 'refused') {
    return refused(`line ${read.line} of the file ${ENV_FILE} is not accepted: ${read.reason}`);
  }
  const output = await readBounded(files, variables[OUTPUT_FILE] ?? '', MAX_OUTPUT_FILE_BYTES);
  if (output === null)
    return refused(
      `the file ${OUTPUT_FILE} has more than ${MAX_OUTPUT_FILE_BYTES} bytes, or is no file any more`,
    );
  const outputs = readOutputsFile(output);
  if (outputs.kind === 'refused')
    return refused(`the file ${OUTPUT_FILE} is not accepted: ${outputs.reason}`);
  return { kind: 'read', values: read.values, outputs: outputs.outputs };
}

function refused(reason: string): HostValues {
  return { kind: 'refused', reason };
}

/** null: the file is too large, or is a pipe or a device instead of a regular file. A removed file counts as empty. */
export async function readBounded(
  files: Files,
  path: string,
  limitBytes: number,
): Promise<string | null> {
  try {
    const { kind, size } = await files.stat(path);
    if (kind !== 'file' || size > limitBytes) return null;
    if (size === 0) return '';
    return decodeUtf8File(await files.read(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
