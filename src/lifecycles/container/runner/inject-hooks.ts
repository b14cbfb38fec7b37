/** Gather, decide, act for one bundle: its config.json gets the hooks that apply to it. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { Files } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { readBundle, replaceConfig, type Bundle } from '../bundle.ts';

import { gatherFacts } from '../facts.ts';
import { literalFirst } from '../hooksd/literal-first.ts';
import { re2Compiler } from '../hooksd/re2.ts';
import { selectHooks } from '../hooksd/select.ts';
import { spliceHooks } from '../splice.ts';
import type { IndexOptions } from './hook-index.ts';
import { hooksIn, planInjection } from './plan-injection.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { currentIndex } from './stored-index.ts';

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
  const { host, settings, runner } = injecting;
  const bundle = await bundleOrNull(host.files, injecting.bundleFolder);
  if (bundle === null) return null;
  const compile = re2Compiler();
  const index = await currentIndex(settings.index, indexOptions(injecting, compile));
  if (index.refusals.length > 0) throw new LifehookError(index.refusals);
  const facts = gatherFacts(bundle.config);
  const selection = selectHooks(index.candidates(facts), facts, {
    prestart: settings.prestart,
    matcherOf: literalFirst(compile),
  });
  const errors = selection.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new LifehookError(errors);
  const additions = planInjection({ config: bundle.config, selection, settings, runner });
  const result = spliceHooks(bundle.text, additions, bundle.config);
  if (result.kind === 'refused') throw new LifehookError(inFile(bundle, result.problem));
  if (result.kind === 'changed') await replaceConfig(filesFor(host), bundle, result.text);
  return {
    bundle,
    poststop: [...hooksIn(bundle.config, 'poststop'), ...(additions.poststop ?? [])],
  };
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

export function indexOptions(
  { host, settings, owners }: Pick<Injecting, 'host' | 'settings' | 'owners'>,
  compile: IndexOptions['compile'],
): IndexOptions {
  return {
    files: filesFor(host),
    clock: host.clock,
    fingerprints: host.fingerprints,
    compile,
    folders: settings.hooksDirs,
    owners,
    allowUntrusted: settings.allowWritableByOthers,
    policy: {
      badFiles: settings.invalidFile === 'fail' ? 'refuse' : 'skip',
      brokenHooks: settings.missingBinary,
    },
  };
}

/** A bundle and an index that a power failure takes are made again; to wait for the disk is for nothing. */
function filesFor(host: ShimHost): Files {
  return { ...host.files, replace: host.replaceUnsynced };
}

function inFile({ configPath }: Bundle, problem: Problem): Problem {
  return problem.at === undefined
    ? problem
    : { ...problem, at: { ...problem.at, file: configPath } };
}
