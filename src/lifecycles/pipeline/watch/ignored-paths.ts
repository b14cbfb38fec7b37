/** What the watcher need not look at: git's files, ours, and folders that no image is made of. */
import { type DockerIgnore, readDockerIgnore } from '../build/docker-ignore.ts';
import type { Artifact } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import type { PipelineSession } from '../session.ts';
import { artifactKey, type WatchedGroup } from './watched-groups.ts';

const NEVER = /\/(?:\.git|\.lifehook)(?:\/|$)/;

/** Where in doubt, a path is not ignored: a hint too many costs one look. */
export async function ignoredPaths(
  groups: readonly WatchedGroup[],
  session: PipelineSession,
): Promise<(path: string) => boolean> {
  const artifacts = session.config.modules.flatMap(({ build }) => build.artifacts);
  const contexts = await Promise.all(
    artifacts.map(async (artifact) => ({
      context: rootOf(artifact),
      ignore: mayDeclare(artifact) ? null : await ignoreOf(artifact, session),
    })),
  );
  const keys = new Set(artifacts.map(({ image }) => artifactKey(image)));
  const others = groups.filter(({ key }) => !keys.has(key)).flatMap(({ roots }) => roots);
  return (path) => {
    if (NEVER.test(path)) return true;
    if (others.some((root) => isBelow(path, root) || isBelow(root, path))) return false;
    const around = contexts.filter(({ context }) => path !== context && isBelow(path, context));
    // A folder around a context, or a path of none, is on the way to one.
    if (around.length === 0 || contexts.some(({ context }) => isBelow(context, path))) return false;
    return around.every(
      ({ context, ignore }) => ignore?.ignores(path.slice(context.length + 1)) === true,
    );
  };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** To which the lines of what is ignored are relative. */
function rootOf({ builder, context }: Artifact): string {
  return builder.kind === 'folder' ? resolveFrom(context, builder.path) : context;
}

/** Its hooks may name what else is ignored. */
function mayDeclare({ hooks: { before, after } }: Artifact): boolean {
  return [...before, ...after].some(
    ({ policy }) => policy.inputs.length + policy.outputs.length > 0,
  );
}

/** null: nothing of it can be left out for certain. */
async function ignoreOf(
  { builder, context }: Artifact,
  { platform: { files } }: PipelineSession,
): Promise<DockerIgnore | null> {
  if (builder.kind === 'folder') return certain(readDockerIgnore(builder.ignore.join('\n')));
  if (builder.kind !== 'docker') return null;
  const textOf = (path: string): Promise<string | null> => files.read(path).catch(() => null);
  const beside = `${resolveFrom(context, builder.dockerfile)}.dockerignore`;
  const text = (await textOf(beside)) ?? (await textOf(`${context}/.dockerignore`)) ?? '';
  const ignore = readDockerIgnore(text);
  // These two count where they are ignored themselves, too.
  const isOwnIgnored = [builder.dockerfile, '.dockerignore'].some((name) => ignore.ignores(name));
  return isOwnIgnored ? null : certain(ignore);
}

function certain(ignore: DockerIgnore): DockerIgnore | null {
  return ignore.hasExceptions ? null : ignore;
}
