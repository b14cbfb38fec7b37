/**
 * Runs one phase with its hooks, in the same way for every phase: before hooks, the work, after hooks. If a hook or the
 * work failed or was cancelled, the onError hooks run. The finally hooks run in any case.
 */
import { digestFiles } from '../build/file-digest.ts';
import { globFiles } from '../build/walk-files.ts';
import type { PhaseFailure, PhaseResult, PipelineSession } from '../session.ts';
import { type ContractInput, makeContract } from './contract.ts';
import type { PipelineHook, StageHooks } from './model.ts';
import type { ContainerFacts, HookList } from './run-context.ts';
import { type HookListResult, INTERRUPTED, runHookList } from './run-hooks.ts';

export interface Stage<T> {
  readonly hooks: StageHooks;
  /** The facts for hooks. The value is null before the work, and after a failure of the work or of an after hook. */
  readonly facts: (value: T | null) => StageFacts;
  readonly work: () => Promise<PhaseResult<T>>;
  /** For render: takes over the manifests that the after hooks have changed. */
  readonly take?: (value: T, manifests: string) => Promise<PhaseResult<T>>;
}

export interface StageFacts {
  readonly phase: ContractInput['phase'];
  /** Absent: the namespaces that the session knows. */
  readonly namespaces?: readonly string[];
  readonly containers?: ContainerFacts | null;
  readonly manifests?: string;
  readonly cached?: boolean;
  readonly digests?: ReadonlyMap<string, string>;
  /** For sync: the synced files, relative to the artifact's context. */
  readonly syncFiles?: readonly string[];
}

export async function runStage<T>(
  session: PipelineSession,
  stage: Stage<T>,
): Promise<PhaseResult<T>> {
  const { onError, finally: last } = stage.hooks;
  let result: PhaseResult<T>;
  try {
    result = await runToAfter(session, stage);
  } catch (error) {
    await cleanUpAfterError(session, stage);
    throw error;
  }
  const facts = stage.facts(result.outcome === 'Succeeded' ? result.value : null);
  // The user gets the first failure; failures of cleanup hooks were emitted as events.
  if (result.outcome !== 'Succeeded') await runList(session, onError, facts);
  const lastEnd = await runList(session, last, facts);
  return result.outcome === 'Succeeded' ? (failureOf(lastEnd) ?? result) : result;
}

/**
 * PIPE-P7: runs the cleanup hooks of a phase that has rejected. Never rejects: the caller rejects with the first error.
 */
async function cleanUpAfterError<T>(
  session: PipelineSession,
  { hooks, facts }: Stage<T>,
): Promise<void> {
  for (const list of [hooks.onError, hooks.finally]) {
    await runList(session, list, facts(null)).catch(() => undefined);
  }
}

async function runToAfter<T>(
  session: PipelineSession,
  { hooks, facts, work, take }: Stage<T>,
): Promise<PhaseResult<T>> {
  const notBegun = failureOf(await runList(session, hooks.before, facts(null)));
  if (notBegun !== null) return notBegun;
  // A signal may have arrived at the end of the last before hook, or during the previous phase.
  if (session.hooks.signal.aborted) return interrupted;
  const result = await work();
  if (result.outcome !== 'Succeeded') return result;
  const after = await runList(session, hooks.after, facts(result.value));
  const failed = failureOf(after);
  if (failed !== null) return failed;
  if (take === undefined || after.manifests === undefined) return result;
  return take(result.value, after.manifests);
}

/**
 * Runs one list of hooks, of a stage or alone. The inputs of the hooks are read when the list begins, and those of a
 * later hook once more just before it (PIPE-P5).
 */
export async function runList(
  session: PipelineSession,
  hooks: HookList['hooks'],
  facts: StageFacts,
): Promise<HookListResult> {
  const digests = facts.digests ?? (await hookDigests(hooks, session));
  await session.hooks.history.recall(digests.keys());
  const list = hookListOf(session, hooks, { ...facts, digests });
  if (facts.digests !== undefined) return runHookList(list, session.hooks);
  const digestNow = (hook: PipelineHook): Promise<string | null> => inputDigest(hook, session);
  return runHookList({ ...list, digestNow }, session.hooks);
}

export const interrupted: PhaseFailure = {
  outcome: 'Cancelled',
  exitCode: INTERRUPTED,
  message: 'It was interrupted.',
};

/** null: everything succeeded. */
export function failureOf({ outcome, exitCode, failure }: HookListResult): PhaseFailure | null {
  if (outcome === 'Succeeded') return null;
  const { message } = failure ?? interrupted;
  return { outcome, exitCode, message, by: 'hook' };
}

/** The hooks of one list, with the facts that their runner needs. A hook without a digest declares no inputs. */
export function hookListOf(
  session: PipelineSession,
  hooks: HookList['hooks'],
  facts: StageFacts,
): HookList {
  const { namespaces, phase, manifests } = facts;
  const known = namespaces === undefined ? session.facts : { ...session.facts, namespaces };
  const { compat } = session.options;
  return {
    hooks,
    facts: {
      goos: session.goos,
      cached: facts.cached ?? false,
      syncFiles: facts.syncFiles ?? null,
      digests: facts.digests ?? new Map<string, string>(),
      history: session.hooks.history,
    },
    contract: makeContract({ session: known, phase, compat }),
    containers: facts.containers ?? null,
    ...(manifests === undefined ? {} : { manifests }),
  };
}

type InputSession = Pick<PipelineSession, 'hooks' | 'platform'>;

/**
 * The current digests of the inputs of hooks, in hex, keyed by the address of each hook with inputs. `run: changed`
 * compares them with those of the last success. Globs are relative to the hook's working directory.
 */
export async function hookDigests(
  hooks: readonly PipelineHook[],
  session: InputSession,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const hook of hooks) {
    const digest = await inputDigest(hook, session);
    if (digest !== null) digests.set(hook.address, digest);
  }
  return digests;
}

/** null: the hook declares no inputs. */
async function inputDigest(
  { action, policy }: PipelineHook,
  { hooks: { workDir }, platform: { files } }: InputSession,
): Promise<string | null> {
  if (policy.inputs.length === 0) return null;
  const folder = (action.kind === 'host' ? action.dir : undefined) ?? workDir;
  const paths = await globFiles(folder, policy.inputs, { files });
  return digestFiles(paths, folder, files);
}
