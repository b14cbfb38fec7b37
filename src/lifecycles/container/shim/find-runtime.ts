/** Finds the real runtime. The result is never the wrapper itself, under any name or link. */
import { LifehookError } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';

/** The PATH that engines set for their runtimes varies, so it is not used. */
const RUNTIME_FOLDERS: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

const defaultNames: readonly string[] = ['runc', 'crun'];

export interface RuntimeQuestion {
  readonly files: Files;
  /** The configured runtime; null: runc, or else crun. */
  readonly wanted: string | null;
  /** The wrapper's own file, with symbolic links resolved. */
  readonly selfPath: string;
}

export async function findRuntime(question: RuntimeQuestion): Promise<string> {
  const { wanted, selfPath } = question;
  for (const path of candidates(wanted)) {
    const real = await question.files.realPath(path).catch(() => null);
    if (real === null) continue;
    if (real !== selfPath) return path;
    // A bare name may be the wrapper, installed in place of runc (/usr/local/sbin/runc): then a later directory has the
    // real runtime.
    if (wanted !== null && wanted.includes('/')) throw isSelf(path);
  }
  throw notFound(wanted);
}

function candidates(wanted: string | null): string[] {
  if (wanted?.includes('/') === true) return [wanted];
  const names = wanted === null ? defaultNames : [wanted];
  return names.flatMap((name) => RUNTIME_FOLDERS.map((folder) => `${folder}/${name}`));
}

/**
 * Whether the runtime is crun, by its name or by that of the file that a link names. crun does not run poststop hooks
 * after a failed create, and up to 1.21 its start succeeds although a poststart hook has failed.
 */
export async function forgetsHooks(files: Files, runtime: string): Promise<boolean> {
  if (isCrun(runtime)) return true;
  const real = runtime.includes('/') ? await files.realPath(runtime).catch(() => null) : null;
  return real !== null && isCrun(real);
}

function isCrun(path: string): boolean {
  return (path.split('/').at(-1) ?? '').includes('crun');
}

function isSelf(path: string): LifehookError {
  return new LifehookError({
    code: 'LHC313',
    message: `"runtime" must name the real OCI runtime, but ${path} is lifehook-runtime itself, which would call itself endlessly.`,
    next: 'Name runc or crun as "runtime" in the configuration, or leave it out.',
  });
}

function notFound(wanted: string | null): LifehookError {
  const what = wanted === null ? `Neither ${defaultNames.join(' nor ')}` : `No runtime ${wanted}`;
  return new LifehookError({
    code: 'LHC312',
    message: `${what} was found${wanted?.includes('/') === true ? '' : ` in ${RUNTIME_FOLDERS.join(', ')}`}.`,
    next: 'Install runc or crun, or name the runtime by its path as "runtime" in the configuration.',
  });
}
