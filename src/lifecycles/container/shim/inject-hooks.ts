/**
 * Gather, decide, act for one bundle: adds the hooks that apply to its config.json. This module has the code that
 * every create needs; `inject-matching.ts` has the code for creates with hooks.
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

/** The content of config.json now; null if there is none, which the real runtime will report. */
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

/** Throws a LifehookError for every problem that must prevent the container. */
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

/** Engines keep bundles private: one that other users may write to suggests an attack. */
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

/** The question that an index must have been built for under these settings. */
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
