/** Decides which hooks of a list run, and why the others are skipped. Pure: `plan` prints the same decisions. */
import { pathGlob } from './glob.ts';
import type { HookHistory } from './history.ts';
import type { Goos, PipelineHook } from './model.ts';

export interface DecideFacts {
  readonly goos: Goos;
  /** For build hooks: whether the cache has the artifact's image or, around the whole build, all images. */
  readonly cached: boolean;
  /** For sync: the synced files, relative to the artifact's context; null: the phase is not a sync. */
  readonly syncFiles: readonly string[] | null;
  /** For the address of each hook with inputs: the current digest of the inputs. */
  readonly digests: ReadonlyMap<string, string>;
  readonly history: Pick<HookHistory, 'succeededInSession' | 'lastDigest'>;
}

export type SkipCause = 'os' | 'cached' | 'unchanged' | 'once' | 'paths' | 'no-container';

export type HookDecision =
  | { readonly hook: PipelineHook; readonly runs: true; readonly reason: string }
  | {
      readonly hook: PipelineHook;
      readonly runs: false;
      readonly cause: SkipCause;
      /** One sentence without its full stop. */
      readonly reason: string;
    };

/**
 * Decides whether a hook runs. Worked example, on linux, with an artifact that is in the cache: a before hook for
 * windows is skipped because of its os. A before hook without `run` is skipped because of the cache (PIPE-CASE21). One
 * with `run: always` runs. One with `run: changed` runs if the digest of its inputs differs from that at its last
 * success.
 */
export function decideHook(hook: PipelineHook, facts: DecideFacts): HookDecision {
  return otherSystem(hook, facts) ?? otherFiles(hook, facts) ?? byPolicy(hook, facts);
}

type Facts = DecideFacts;

function otherSystem(hook: PipelineHook, { goos }: Facts): HookDecision | null {
  if (hook.action.kind !== 'host') return null;
  const { os } = hook.action;
  if (os === undefined || os.length === 0 || os.includes(goos)) return null;
  return skip(hook, 'os', `it is for ${os.join(', ')}, but this machine runs ${goos}`);
}

function otherFiles(hook: PipelineHook, { syncFiles }: Facts): HookDecision | null {
  const { paths } = hook.policy;
  if (syncFiles === null || paths.length === 0) return null;
  const globs = paths.map((pattern) => pathGlob(pattern));
  const isMeant = (file: string): boolean =>
    globs.some((glob) => glob.kind === 'glob' && glob.matches(file));
  if (syncFiles.some((file) => isMeant(file))) return null;
  return skip(hook, 'paths', `no synced file matches ${paths.join(', ')}`);
}

function byPolicy(hook: PipelineHook, facts: Facts): HookDecision {
  const { address, policy } = hook;
  switch (policy.run) {
    case 'always':
      return run(hook, 'it always runs');
    case 'once-per-session':
      return facts.history.succeededInSession(address)
        ? skip(hook, 'once', 'it has succeeded in this session')
        : run(hook, 'it has not succeeded in this session');
    case 'changed':
      return ifChanged(hook, facts);
    case 'as-phase':
      return facts.cached && hook.phase === 'build'
        ? skip(
            hook,
            'cached',
            'the image was found in the cache; with `run: always` the hook runs in that case too',
          )
        : run(hook, 'its phase runs');
    default:
      return policy.run satisfies never;
  }
}

function ifChanged(hook: PipelineHook, { digests, history }: Facts): HookDecision {
  const digest = digests.get(hook.address);
  if (digest === undefined) return run(hook, 'it has no inputs to compare');
  return digest === history.lastDigest(hook.address)
    ? skip(hook, 'unchanged', 'its inputs are the same as at its last success')
    : run(hook, 'its inputs have changed since its last success');
}

function run(hook: PipelineHook, reason: string): HookDecision {
  return { hook, runs: true, reason };
}

function skip(hook: PipelineHook, cause: SkipCause, reason: string): HookDecision {
  return { hook, runs: false, cause, reason };
}
