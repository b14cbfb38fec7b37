/**
 * Gather, decide, act for one bundle: its config.json gets the hooks that apply to it. Here is what
 * every create needs; what only those with hooks need is `inject-matching.ts`.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { readBundle, type Bundle } from '../config/bundle.ts';
import { gatherFacts } from '../facts.ts';
import type { IndexQuestion } from '../index/hook-index.ts';
import { hooksIn, mayHoldWrapped } from './hooks-in-config.ts';
import type { PostexitPlan } from './postexit-plan.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { hookFilesFor } from './stored-index.ts';

export interface Injecting {
  readonly host: ShimHost;
  readonly settings: RuntimeSettings;
  readonly owners: readonly number[];
  readonly bundleFolder: string;
  readonly containerId: string;
  readonly runner: string;
}

/** What config.json says now; null when there is none, of which the real runtime will tell. */
export interface Injected {
  readonly bundle: Bundle;
  /** poststop hooks, those included that were there before. */
  readonly poststop: readonly unknown[];
  /** What is wrong and yet stops nothing. */
  readonly warnings: readonly Problem[];
  /** Whether hooks that the runtime runs at create are recorded by the runner. */
  readonly recorded: boolean;
  /** What to keep for the delete; null: no postexit hook applies. */
  readonly postexit: PostexitPlan | null;
}

/** Throws a LifehookError for everything that has to stop the container. */
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

/** Engines keep bundles to themselves: one that others may write to is nobody's but an attacker's. */
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

/** What an index has to answer under these settings. */
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
