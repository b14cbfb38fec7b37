/**
 * Gather, decide, act for one bundle: its config.json gets the hooks that apply to it. Here is what
 * every create needs; what only those with hooks need is `inject-matching.ts`.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { readBundle, type Bundle } from '../bundle.ts';
import { gatherFacts } from '../facts.ts';
import type { IndexQuestion } from './hook-index.ts';
import { hooksIn } from './hooks-in-config.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { hookFilesFor } from './stored-index.ts';

export interface Injecting {
  readonly host: ShimHost;
  readonly settings: RuntimeSettings;
  readonly owners: readonly number[];
  readonly bundleFolder: string;
  readonly runner: string;
}

/** What config.json says now; null when there is none, of which the real runtime will tell. */
export interface Injected {
  readonly bundle: Bundle;
  /** poststop hooks, those included that were there before. */
  readonly poststop: readonly unknown[];
}

/** Throws a LifehookError for everything that has to stop the container. */
export async function injectHooks(injecting: Injecting): Promise<Injected | null> {
  const { host, settings } = injecting;
  const bundle = await bundleOrNull(host.files, injecting.bundleFolder);
  if (bundle === null) return null;
  const facts = gatherFacts(bundle.config);
  const place = { path: settings.index, question: indexQuestion(injecting) };
  const files = await hookFilesFor(host, place, facts);
  if (files.length === 0) return { bundle, poststop: hooksIn(bundle.config, 'poststop') };
  const { injectMatching } = await import('./inject-matching.ts');
  return injectMatching({ ...injecting, bundle, facts, files });
}

/**
 * Who can write to a bundle decides what runs anyway, by its hooks and its process: nothing is gained
 * here by distrusting it.
 */
async function bundleOrNull(files: Files, folder: string): Promise<Bundle | null> {
  try {
    return await readBundle({ files, folder, trust: { owners: [], allowUntrusted: true } });
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
