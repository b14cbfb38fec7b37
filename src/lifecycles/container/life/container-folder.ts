/**
 * Reads and writes the files of one container. The command that holds the container's lock writes container.json,
 * phase.json and started.json. The supervisor writes report.json, and the first process that records the exit writes
 * exit.json. All of them are replaced atomically, so that a reader never sees a partial file.
 */
import { LifehookError } from '../../../model/problem.ts';
import { codeOf, unlessMissing } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import type { SupervisorReport } from '../../../supervisor/records.ts';
import type { Container, ExitRecord, Phase } from './container.ts';
import type { Life } from './life.ts';

const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** The files of the directory, by name. */
export interface ContainerFolder {
  readonly path: string;
  readonly files: Files;
}

/** The directory for the journal of hooks that commands run; the supervisor has its own. */
export function hooksFolder({ path }: ContainerFolder): string {
  return `${path}/hooks`;
}

interface Contents {
  readonly container: Container;
  readonly phase: Phase;
  readonly report: SupervisorReport;
  /** Written before the program is started: once this exists, the program may have run. */
  readonly started: { readonly atMs: number };
  readonly exit: ExitRecord;
}

/** null: the part does not exist (yet). */
export async function readPart<K extends keyof Contents>(
  { files, path }: ContainerFolder,
  part: K,
): Promise<Contents[K] | null> {
  const file = `${path}/${part}.json`;
  try {
    return JSON.parse(decodeUtf8(await files.read(file))) as Contents[K];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (error instanceof SyntaxError) throw damaged(file, error);
    throw error;
  }
}

function damaged(file: string, cause: SyntaxError): LifehookError {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return new LifehookError(
    {
      code: 'LHC217',
      message: `The file ${file} of a container is not the JSON that Lifehook wrote (${cause.message}).`,
      at: { file, line: 1, column: 1 },
      next: `Kill the remaining processes of the container by hand (\`runc delete --force\`), then remove ${folder}.`,
    },
    { cause },
  );
}

export async function writePart<K extends keyof Contents>(
  { files, path }: ContainerFolder,
  part: K,
  value: Contents[K],
): Promise<void> {
  const text = `${encodeUtf8(JSON.stringify(value))}\n`;
  await files.replace(`${path}/${part}.json`, text, { mode: FILE_MODE });
}

/** Returns false if the part was written before: the first write wins. */
export async function writePartOnce<K extends keyof Contents>(
  folder: ContainerFolder,
  part: K,
  value: Contents[K],
): Promise<boolean> {
  if ((await readPart(folder, part)) !== null) return false;
  await writePart(folder, part, value);
  return true;
}

/**
 * Writes a part unless `mayWrite` resolves with false. Returns whether it was written. If the directory is deleted
 * meanwhile, nothing is written, even if a new directory has its path: the temporary file was created before `mayWrite`
 * was called, and is deleted with its directory. `draft`: a name for the temporary file that no other process uses.
 */
export async function writePartIf<K extends keyof Contents>(
  { files, path }: ContainerFolder,
  { part, value, draft }: { readonly part: K; readonly value: Contents[K]; readonly draft: string },
  mayWrite: () => Promise<boolean>,
): Promise<boolean> {
  const file = `${path}/.${part}-${draft}.tmp`;
  const text = `${encodeUtf8(JSON.stringify(value))}\n`;
  if (!(await hasFolder(files.create(file, text, FILE_MODE)))) return false;
  if (await mayWrite()) return hasFolder(files.rename(file, `${path}/${part}.json`));
  await files.remove(file);
  return false;
}

/** False: the change failed, because the directory was deleted. */
async function hasFolder(change: Promise<void>): Promise<boolean> {
  return (await unlessMissing(change.then(() => true))) ?? false;
}

export function notFound({ root }: Life, { path }: ContainerFolder): LifehookError {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return new LifehookError({
    code: 'LHC211',
    message: `There is no container ${id} in ${root}.`,
    next: 'Run `lifehook oci list` to see which there are; --root names another directory.',
  });
}
