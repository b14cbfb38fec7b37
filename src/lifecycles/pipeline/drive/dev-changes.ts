/** Gathers facts about changed files: which hooks may have written them, and whether a hook declares them as output. */
import type { PipelineHook } from '../hooks/model.ts';
import { withParents } from '../build/walk-files.ts';
import { everyHook } from '../config/map-hooks.ts';
import { isWithin, splitGlob, withoutFolder } from '../config/paths.ts';
import { pathGlob } from '../hooks/glob.ts';
import type { PipelineSession } from '../session.ts';
import type { HookWindow, HookWindows } from '../watch/hook-windows.ts';
import type { GroupKey, Snapshot } from '../watch/snapshot.ts';
import { artifactKey, folderOfHook } from '../watch/watched-groups.ts';
import type { ChangedFile } from '../watch/weigh-changes.ts';

export interface Changed {
  /** Watched files for which the watcher reported a change. */
  readonly hinted: readonly string[];
  /** Files whose content differs from the last iteration. */
  readonly differing: readonly string[];
  /** The files whose edits started the last iteration. */
  readonly edited: ReadonlySet<string>;
  readonly now: Snapshot;
  readonly windows: HookWindows;
  /** Images that the last iteration built, without those from the cache. */
  readonly lastBuilt: ReadonlySet<string>;
}

export async function changedFiles(
  { hinted, differing, edited, now, windows, lastBuilt }: Changed,
  session: PipelineSession,
): Promise<readonly ChangedFile[]> {
  const { files, clock } = session.platform;
  const differs = new Set(differing);
  const isDeclared = outputsOf(session);
  const found: ChangedFile[] = [];
  for (const path of new Set([...differing, ...hinted])) {
    // A deleted file has no time, so the current time counts.
    const timeMs = (await files.stat(path).catch(() => null))?.mtimeMs ?? clock.nowMs();
    // The watcher may report an edit late, or twice: then the edit was processed already.
    const isKnownEdit = edited.has(path) && !differs.has(path) && windows.isBefore(timeMs);
    const ran = isKnownEdit ? [] : windows.at(timeMs);
    found.push({
      path,
      differs: differs.has(path),
      isOutput: timeMs >= windows.begunMs && isDeclared(path),
      hooks: ran.map((window) => ({
        address: window.address,
        isBeforeBuild: isReadAfter(window, groupsWith(path, now), { lastBuilt, session }),
      })),
    });
  }
  return found;
}

function groupsWith(path: string, { groups }: Snapshot): readonly GroupKey[] {
  return [...groups].filter(([, paths]) => paths.includes(path)).map(([key]) => key);
}

/** Whether, after the hook ran, the last iteration built every group that contains the file. */
function isReadAfter(
  { address, callback }: HookWindow,
  keys: readonly GroupKey[],
  {
    lastBuilt,
    session,
  }: { readonly lastBuilt: ReadonlySet<string>; readonly session: PipelineSession },
): boolean {
  if (callback !== 'pre-build' || keys.length === 0) return false;
  const artifacts = session.config.modules.flatMap(({ build }) => build.artifacts);
  const own = artifacts.find(({ hooks }) => hooks.before.some((hook) => hook.address === address));
  const read = own === undefined ? [...lastBuilt] : [own.image].filter((one) => lastBuilt.has(one));
  const readKeys = new Set(read.map((image) => artifactKey(image)));
  return keys.every((key) => readKeys.has(key));
}

/**
 * Whether a path matches declared outputs. Globs of an image's own hooks are relative to its context, others to the
 * hook's working directory.
 */
function outputsOf(session: PipelineSession): (path: string) => boolean {
  const artifacts = session.config.modules.flatMap(({ build }) => build.artifacts);
  const contexts = new Map(
    artifacts.flatMap(({ context, hooks }) =>
      [...hooks.before, ...hooks.after, ...hooks.onError, ...hooks.finally].map(
        ({ address }) => [address, context] as const,
      ),
    ),
  );
  const outputs = everyHook(session.config).flatMap((hook: PipelineHook) => {
    const folder = contexts.get(hook.address) ?? folderOfHook(hook, session);
    return hook.policy.outputs.map((pattern) => matchOf(folder, pattern));
  });
  return (path) => outputs.some((matches) => matches(path));
}

/**
 * A function that tests whether a path matches. As in the listing of files, a named or matched directory stands for
 * everything in it.
 */
function matchOf(folder: string, pattern: string): (path: string) => boolean {
  const { root, glob } = splitGlob(folder, pattern);
  if (glob === null) return (path) => isWithin(path, root);
  const compiled = pathGlob(glob);
  return (path) =>
    compiled.kind === 'glob' &&
    isWithin(path, root) &&
    withParents(withoutFolder(root, path)).some((one) => compiled.matches(one));
}
