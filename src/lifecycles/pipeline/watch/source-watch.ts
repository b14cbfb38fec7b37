/**
 * Watches all sources of a development session: their current content, and which of them may have changed. A watch
 * belongs to one configuration: a reload opens another watch.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { PathWatch, PathWatching } from '../../../platform/path-watching.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { type DockerIgnore, readDockerIgnore } from '../build/docker-ignore.ts';
import { textOf } from '../build/text-file.ts';
import type { Artifact } from '../config/model.ts';
import { isWithin, resolveFrom } from '../config/paths.ts';
import type { PipelineSession } from '../session.ts';
import { type HintedPaths, Hints } from './hints.ts';
import { Contents, type GroupKey, type Snapshot } from './snapshot.ts';
import { artifactKey, type WatchedGroup, watchedGroups } from './watched-groups.ts';

export class SourceWatch implements AsyncDisposable {
  readonly #groups: readonly WatchedGroup[];
  readonly #contents: Contents;
  readonly #hints: Hints;
  #lists: ReadonlyMap<GroupKey, readonly string[]> = new Map();
  #watch: PathWatch | null = null;
  #watched: readonly string[] = [];

  private constructor(session: PipelineSession) {
    this.#groups = watchedGroups(session);
    this.#contents = new Contents(session.platform.files);
    this.#hints = new Hints(session.platform);
  }

  static async open(session: PipelineSession, watching: PathWatching): Promise<SourceWatch> {
    const made = new SourceWatch(session);
    await made.#findRoots();
    made.#watched = made.#roots();
    // The watch starts before the first read, so that a file that changes in between is read again.
    made.#watch = await watching.watch(made.#watched, {
      ignored: await ignoredPaths(made.#groups, session),
      onHint: (path) => {
        made.#hints.add(path);
      },
      onError: ({ message }) => {
        const text = `Changes of files may be missed: ${message}.`;
        session.hooks.emit({ type: 'Warning', code: 'LHL503', message: text });
        made.#hints.addUnknown();
      },
    });
    try {
      await made.#look({ paths: new Set(), isIncomplete: true });
    } catch (error) {
      await made[Symbol.asyncDispose]();
      throw error;
    }
    return made;
  }

  /** The content as of the hints that were processed so far. */
  get snapshot(): Snapshot {
    return { groups: this.#lists, digests: this.#contents.digests };
  }

  /** Makes the next call of `next` return, even if nothing has changed. */
  wake(): void {
    this.#hints.wake();
  }

  /**
   * The watched files that may have changed since the last call, after they were read again; null: the signal has
   * aborted.
   */
  async next(signal: CancelSignal): Promise<readonly string[] | null> {
    const hinted = await this.#hints.next(signal);
    if (hinted === null) return null;
    const before = this.#contents.digests;
    await this.#look(hinted);
    const now = this.#contents.digests;
    const paths = hinted.isIncomplete ? new Set([...before.keys(), ...now.keys()]) : hinted.paths;
    return [...paths].filter((path) => before.has(path) || now.has(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch?.close();
  }

  #roots(): readonly string[] {
    return outermost(this.#groups.flatMap(({ roots }) => roots));
  }

  async #findRoots(): Promise<void> {
    for (const { findRoots } of this.#groups) {
      await findRoots?.().catch((error: unknown) => {
        if (!(error instanceof LifehookError)) throw error;
      });
    }
  }

  /**
   * Watches further roots, which changed files have named. Returns true if there are any: a file below them may have
   * been created before the watch started.
   */
  async #watchMore(): Promise<boolean> {
    const roots = this.#roots();
    const more = roots.filter((root) => !this.#watched.includes(root));
    this.#watched = roots;
    if (more.length > 0) await this.#watch?.add(more);
    return more.length > 0;
  }

  async #look(hinted: HintedPaths): Promise<void> {
    const { paths, isIncomplete } = hinted;
    await this.#listGroups(hinted);
    // Watch before listing: in the other order, a file that is created in between could be missed.
    while (await this.#watchMore()) await this.#listGroups({ paths, isIncomplete: true });
    const all = new Set([...this.#lists.values()].flat());
    await this.#contents.look(all, isIncomplete ? { has: () => true } : paths);
  }

  async #listGroups({ paths, isIncomplete }: HintedPaths): Promise<void> {
    const known = this.#contents.digests;
    const renamed = [...paths].filter((path) => !known.has(path) || namesOthers(path));
    const lists = new Map<GroupKey, readonly string[]>();
    for (const group of this.#groups) {
      const mayHaveGrown = (group.isOfContents ? [...paths] : renamed).some((path) =>
        group.roots.some((root) => path === root || path.startsWith(`${root}/`)),
      );
      const old = this.#lists.get(group.key) ?? [];
      lists.set(group.key, isIncomplete || mayHaveGrown ? await listOr(group, old) : old);
    }
    this.#lists = lists;
  }
}

function namesOthers(path: string): boolean {
  return path.endsWith('.dockerignore');
}

/** The group's new list, or the old one after an error. The phase that reads these files fails with the same error. */
async function listOr(group: WatchedGroup, old: readonly string[]): Promise<readonly string[]> {
  try {
    return await group.list();
  } catch (error) {
    if (error instanceof LifehookError) return old;
    throw error;
  }
}

/** The roots that are not below another root. */
function outermost(roots: readonly string[]): string[] {
  const kept: string[] = [];
  for (const root of [...new Set(roots)].toSorted((a, b) => a.length - b.length)) {
    if (!kept.some((one) => one === '/' || root.startsWith(`${one}/`))) kept.push(root);
  }
  return kept;
}

const NEVER = /\/(?:\.git|\.lifehook)(?:\/|$)/;

/**
 * Paths that the watcher may ignore: files of git, our own files, and directories that are part of no image. A doubtful
 * path is not ignored, since an unneeded hint costs only one read.
 */
async function ignoredPaths(
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
  const contextOf = new Map(artifacts.map(({ image, context }) => [artifactKey(image), context]));
  // Computed for each path, because a group may find more roots later. The ignore files of a context do not apply to
  // roots outside of it.
  const isOther = (path: string): boolean =>
    groups.some(({ key, roots }) =>
      roots.some(
        (root) => root !== contextOf.get(key) && (isWithin(path, root) || isWithin(root, path)),
      ),
    );
  return (path) => {
    if (NEVER.test(path)) return true;
    if (isOther(path)) return false;
    const around = contexts.filter(({ context }) => path !== context && isWithin(path, context));
    // A path outside of every context may lead to a context. A path in a context may contain another context.
    if (around.length === 0 || contexts.some(({ context }) => isWithin(context, path)))
      return false;
    return around.every(
      ({ context, ignore }) => ignore?.ignores(path.slice(context.length + 1)) === true,
    );
  };
}

/** The directory to which the lines of the ignore file are relative. */
function rootOf({ builder, context }: Artifact): string {
  return builder.kind === 'folder' ? resolveFrom(context, builder.path) : context;
}

/** Whether hooks of the artifact declare inputs or outputs, which may be files that the builder ignores. */
function mayDeclare({ hooks: { before, after } }: Artifact): boolean {
  return [...before, ...after].some(
    ({ policy }) => policy.inputs.length + policy.outputs.length > 0,
  );
}

/** The patterns that the builder certainly ignores; null: none are certain. */
async function ignoreOf(
  { builder, context }: Artifact,
  { platform: { files } }: PipelineSession,
): Promise<DockerIgnore | null> {
  if (builder.kind === 'folder') return certain(readDockerIgnore(builder.ignore.join('\n')));
  if (builder.kind !== 'docker') return null;
  const beside = `${resolveFrom(context, builder.dockerfile)}.dockerignore`;
  const text =
    (await textOf(beside, files)) ?? (await textOf(`${context}/.dockerignore`, files)) ?? '';
  const ignore = readDockerIgnore(text);
  // The Dockerfile and .dockerignore count as sources even if they are ignored.
  const isOwnIgnored = [builder.dockerfile, '.dockerignore'].some((name) => ignore.ignores(name));
  return isOwnIgnored ? null : certain(ignore);
}

function certain(ignore: DockerIgnore): DockerIgnore | null {
  return ignore.hasExceptions ? null : ignore;
}
