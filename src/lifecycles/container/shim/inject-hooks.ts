/**
 * Adds hooks to the config.json of one bundle: those that apply to its container. This module has the code that every
 * create needs; `inject-matching.ts` has the code for creates with hooks.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { RandomAccess, ShimHost } from '../../../platform/shim-host.ts';
import { readBundle, type Bundle } from '../config/bundle.ts';
import { gatherFacts } from '../facts.ts';
import type { ContainerFacts, IndexedFile } from '../hooksd/hook-file.ts';
import { distrust, pathTrust } from '../hooksd/path-trust.ts';
import { type IndexQuestion, readIndex } from '../index/hook-index.ts';
import { guardsHold } from '../index/index-watch.ts';
import { hooksIn, mayHoldWrapped } from './plan-injection.ts';
import type { PostexitPlan } from './postexit-plan.ts';
import type { RuntimeSettings } from './runtime-settings.ts';

export interface Injecting {
  readonly host: ShimHost;
  readonly settings: RuntimeSettings;
  readonly owners: readonly number[];
  readonly bundleFolder: string;
  readonly containerId: string;
  readonly runner: string;
}

/** The bundle with the current content of its config.json, and what was decided for it. */
export interface Injected {
  readonly bundle: Bundle;
  /** poststop hooks, including those of the original config.json. */
  readonly poststop: readonly unknown[];
  /** Problems that do not prevent the container. */
  readonly warnings: readonly Problem[];
  /** Whether hooks that the runtime runs at create are recorded by the runner. */
  readonly recorded: boolean;
  /** The plan for the delete; null: no postexit hook applies. */
  readonly postexit: PostexitPlan | null;
}

/**
 * Throws a LifehookError for every problem that must prevent the container. null: there is no config.json, which the
 * real runtime will report.
 */
export async function injectHooks(injecting: Injecting): Promise<Injected | null> {
  const { host, settings } = injecting;
  const bundle = await bundleOrNull(injecting);
  if (bundle === null) return null;
  const facts = gatherFacts(bundle.config);
  const place = { path: settings.index, question: indexQuestion(injecting) };
  const files = await hookFilesFor(host, place, facts);
  if (files.length === 0 && !mayHoldWrapped(bundle.text, injecting.runner)) return noneOf(bundle);
  const { injectMatching } = await import('./inject-matching.ts');
  return injectMatching({ ...injecting, bundle, facts, files });
}

function noneOf(bundle: Bundle): Injected {
  return {
    bundle,
    poststop: hooksIn(bundle.config, 'poststop'),
    warnings: [],
    recorded: false,
    postexit: null,
  };
}

/**
 * Reads the bundle; null: it or its config.json does not exist. Unless the settings allow it, a bundle that other users
 * may write to is refused: engines keep bundles private, so such a bundle suggests an attack.
 */
async function bundleOrNull({
  host: { files },
  settings,
  owners,
  bundleFolder,
}: Injecting): Promise<Bundle | null> {
  try {
    const trust = { owners, allowUntrusted: settings.allowWritableByOthers };
    return await readBundle({ files, folder: bundleFolder, trust });
  } catch (error) {
    const cause = error instanceof LifehookError ? error.cause : null;
    if (codeOf(cause) === 'ENOENT') return null;
    throw error;
  }
}

/** The settings for which the index must have been built. An index for other settings is stale. */
export function indexQuestion({
  settings,
  owners,
}: Pick<Injecting, 'settings' | 'owners'>): IndexQuestion {
  return {
    folders: settings.hooksDirs,
    owners,
    allowUntrusted: settings.allowWritableByOthers,
    policy: {
      badFiles: settings.invalidFile === 'fail' ? 'refuse' : 'skip',
      brokenHooks: settings.missingBinary,
    },
  };
}

/** The candidate hook files. Throws a LifehookError if no container may be started. */
async function hookFilesFor(
  host: ShimHost,
  { path, question }: { path: string; question: IndexQuestion },
  facts: ContainerFacts,
): Promise<readonly IndexedFile[]> {
  const stored = await openStored(host, path, question);
  try {
    const index = stored && (await readIndex(stored, question, host.fingerprints));
    if (index !== null && (await guardsHold(host.files, index.guards, question))) {
      refuseIfNeeded(index.refusals);
      return await index.candidates(facts);
    }
  } catch (error) {
    // A power failure has lost the line from the file.
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    stored?.close();
  }
  const { clock, fingerprints } = host;
  const files = { ...host.files, replace: host.replaceUnsynced };
  const { rebuildIndex } = await import('./seldom.ts');
  const built = await rebuildIndex(path, { files, clock, fingerprints, ...question });
  refuseIfNeeded(built.refusals);
  return built.files;
}

function refuseIfNeeded(refusals: readonly Problem[]): void {
  if (refusals.length > 0) throw new LifehookError(refusals);
}

/** Opens the stored index. null: the index is missing, or not trusted. */
async function openStored(
  host: ShimHost,
  path: string,
  question: IndexQuestion,
): Promise<RandomAccess | null> {
  try {
    const untrusted =
      (await pathTrust(host.files, question).above(path)) ??
      distrust(path, await host.files.stat(path), question);
    return untrusted === undefined ? await host.openRead(path) : null;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return null;
  }
}
