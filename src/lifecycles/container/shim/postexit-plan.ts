/**
 * Stores the postexit hooks of a container, as chosen at its create, for its delete. A file is named by the container's
 * id, in one directory per state directory of the runtime, since ids are unique only there. A mark next to the file
 * shows that the container was started: without a start there is no exit.
 */
import { codeOf } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import type { OciHook } from '../points.ts';
import type { RuntimeCall } from './runtime-args.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

export interface PostexitPlan {
  /** The OCI state for the hooks, without the exit. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly bundle: string;
  /** The config.json entry that runs the wrapped hooks. */
  readonly entry: OciHook;
  /** The number of these hooks. */
  readonly count: number;
}

type Place = Pick<RuntimeCall, 'root' | 'containerId'>;

export function planPath(
  { spool }: RuntimeSettings,
  { root = '', containerId = '' }: Place,
): string {
  return `${spool}/postexit/${encodeURIComponent(root)}/${encodeURIComponent(containerId)}.json`;
}

export function startedPath(path: string): string {
  return path.replace(/json$/, 'started');
}

export async function writePlan(files: Files, path: string, plan: PostexitPlan): Promise<void> {
  await files.makeFolder(path.slice(0, path.lastIndexOf('/')), folderMode);
  await files.remove(startedPath(path));
  await files.replace(path, `${encodeUtf8(JSON.stringify(plan))}\n`, { mode: fileMode });
}

/** Only the owner has access: hooks may have secrets in their environments. */
const folderMode = 0o700;
const fileMode = 0o600;

export async function hasPlan(files: Files, path: string): Promise<boolean> {
  return files.stat(path).then(
    () => true,
    () => false,
  );
}

/** null: the container has no postexit hooks, they have run, or the file cannot be read. */
export async function readPlan(files: Files, path: string): Promise<PostexitPlan | null> {
  try {
    return JSON.parse(decodeUtf8(await files.read(path))) as PostexitPlan;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}

export async function removePlan(files: Files, path: string): Promise<void> {
  await files.remove(path);
  await files.remove(startedPath(path));
}
