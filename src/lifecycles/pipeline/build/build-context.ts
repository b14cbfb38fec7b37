/**
 * Prepares the directory for a builder. Session records (.lifehook) are in the project, and a builder would send them
 * too. So a context that contains such records is copied without them. The copy also omits files that the context's
 * ignore files exclude. The program decides which ignore file counts, so only files that all of them exclude are
 * omitted.
 */
import { shellWords } from '../../../model/shell-words.ts';
import { sha256 } from '../../../platform/digests.ts';
import type { Artifact, DockerBuilder } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { PhaseFailure, PhaseResult, PipelineSession } from '../session.ts';
import type { ContainerProgram } from './docker-argv.ts';
import { readDockerIgnore, type DockerIgnore } from './docker-ignore.ts';
import { textOf } from './text-file.ts';
import { isState, walkAll } from './walk-files.ts';

export interface ContextSource {
  /** Absolute path. */
  readonly folder: string;
  readonly image: string;
  /** The image's reference, which also names the copy below the scratch directory. */
  readonly reference: string;
  /** Whether a path relative to the directory is excluded. */
  readonly leavesOut: (path: string) => boolean;
  /** Whether an excluded directory may contain files that are not excluded. */
  readonly hasExceptions: boolean;
  /** Whether the directory must be copied even if it contains no records. */
  readonly mustCopy: boolean;
}

/**
 * Does the work in the directory itself, or in a copy that is removed afterwards. `advice`: the next step for the user
 * if the work fails because we may not read a file in the directory; null: all files are readable.
 */
export async function inBuildContext<T>(
  source: ContextSource,
  session: PipelineSession,
  work: (folder: string, advice: string | null) => Promise<PhaseResult<T>>,
): Promise<PhaseResult<T>> {
  const { folder, leavesOut, hasExceptions, mustCopy } = source;
  const { files } = session.platform;
  const denied: string[] = [];
  const onDenied = (path: string): void => {
    if (path === '' || !leavesOut(path)) denied.push(path);
  };
  const found = await walkAll(folder, {
    files,
    onDenied,
    ...(hasExceptions ? {} : { skips: leavesOut }),
  });
  const sent = found.filter((path) => !leavesOut(path));
  const kept = sent.filter((path) => !isState(path));
  const [closed] = denied;
  if (kept.length === sent.length && !mustCopy) {
    return work(folder, closed === undefined ? null : deniedAdvice(folder, closed));
  }
  if (closed !== undefined) return deniedFailure(source, closed);
  const copy = `${session.hooks.scratchFolder}/${sha256(source.reference)}`;
  await files.makeFolder(copy, PRIVATE);
  try {
    const failure = await copyPaths(kept, { source, copy }, session);
    return failure ?? (await work(copy, null));
  } finally {
    await removeCopy(copy, session);
    await files.remove(failedFile(copy));
  }
}

/**
 * Removes the copy of the context. Only root can remove files in a directory that has no w bit, so this sets the bit if
 * needed. Ignores a cancellation.
 */
async function removeCopy(copy: string, session: PipelineSession): Promise<void> {
  const { files } = session.platform;
  const { hooks } = session;
  try {
    await files.remove(copy);
  } catch {
    const argv = ['chmod', '-R', 'u+rwx', copy];
    const patient = { ...session, hooks: { ...hooks, signal: hooks.hurry } };
    await runProgram({ argv, cwd: hooks.scratchFolder, source: 'build' }, patient);
    await files.remove(copy);
  }
}

const PRIVATE = 0o700;

interface CopyPlace {
  readonly source: ContextSource;
  readonly copy: string;
}

/**
 * Copies with modes and links, by the machine's tar. The exit code of a pipe is that of its last program, so a file
 * records a failure of the first one.
 */
const COPY_SCRIPT =
  '{ tar -C "$1" --no-recursion --null -T - -cf - || : >"$3"; } | tar -C "$2" -xpf - && ! test -e "$3"';

const failedFile = (copy: string): string => `${copy}.failed`;

async function copyPaths(
  paths: readonly string[],
  { source: { folder, image }, copy }: CopyPlace,
  session: PipelineSession,
): Promise<PhaseFailure | null> {
  const ran = await runProgram(
    {
      argv: ['sh', '-c', COPY_SCRIPT, 'sh', folder, copy, failedFile(copy)],
      cwd: folder,
      // Without the caller's tar options, and in English, since the messages are parsed.
      env: { TAR_OPTIONS: '', LC_ALL: 'C' },
      stdin: paths.map((path) => `./${path}\0`).join(''),
      source: `build/${image}`,
    },
    session,
  );
  if (ran.outcome === 'Succeeded') return null;
  const [, closed] = DENIED_BY_TAR.exec(ran.tail) ?? [];
  if (closed !== undefined) return deniedFailure({ folder, image }, closed);
  const title = `error LHL304: The build context of ${image} could not be copied`;
  return programFailure(ran, {
    title,
    next: 'check that tar is on PATH, and that the disk has space.',
  });
}

const DENIED_BY_TAR = /^\S+: (?:\.\/)?(\S.*?): .*Permission denied$/m;

/** Fails the build, since the image would lack the unreadable file. `path` is relative; '' is the directory itself. */
function deniedFailure(
  { folder, image }: Pick<ContextSource, 'folder' | 'image'>,
  path: string,
): PhaseFailure {
  const at = resolveFrom(folder, path);
  const title = `error LHL304: The build context of ${image} cannot be read: no right to read ${at}.`;
  return {
    outcome: 'Failed',
    exitCode: 1,
    message: `${title}\n  next: ${deniedAdvice(folder, path)}`,
  };
}

function deniedAdvice(folder: string, path: string): string {
  const grant = `grant the right to read it (${shellWords(['chmod', '-R', 'u+rX', resolveFrom(folder, path)])})`;
  if (path === '') return `${grant}.`;
  return `${grant}, or leave ${path} out, by the .dockerignore in ${folder} or by \`ignore\` of its folderBuilders entry.`;
}

/**
 * What a copy of the build context leaves out, by the ignore files. The Dockerfile and the ignore files are copied even
 * if they are ignored: a builder reads them by itself.
 */
export async function dockerContext(
  artifact: Artifact & { readonly builder: DockerBuilder },
  program: ContainerProgram,
  session: PipelineSession,
): Promise<Pick<ContextSource, 'leavesOut' | 'hasExceptions'>> {
  const { context, builder } = artifact;
  const names = program === 'docker' ? DOCKER_IGNORES : [...DOCKER_IGNORES, '.containerignore'];
  const { files } = session.platform;
  const read = async (path: string): Promise<DockerIgnore[]> => {
    const text = await textOf(resolveFrom(context, path), files);
    return text === null ? [] : [readDockerIgnore(text)];
  };
  const general = (await Promise.all(names.map((name) => read(name)))).flat();
  const special = (
    await Promise.all(names.map((name) => read(`${builder.dockerfile}${name}`)))
  ).flat();
  // Not every program and version supports an ignore file that is named after its Dockerfile, so .dockerignore counts
  // too.
  const all = general.length === 0 ? [readDockerIgnore('')] : [...general, ...special];
  const own = [
    builder.dockerfile,
    ...names,
    ...names.map((name) => `${builder.dockerfile}${name}`),
  ];
  const kept = own.map((name) => resolveFrom(context, name));
  const leadsToOwn = (path: string): boolean =>
    kept.some((one) => one === path || one.startsWith(`${path}/`));
  return {
    leavesOut: (path) =>
      !leadsToOwn(`${context}/${path}`) && all.every(({ ignores }) => ignores(path)),
    hasExceptions: all.some(({ hasExceptions }) => hasExceptions),
  };
}

const DOCKER_IGNORES: readonly string[] = ['.dockerignore'];
