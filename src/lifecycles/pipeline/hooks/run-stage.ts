/**
 * One phase with its hooks, as every phase has them: before, the work, after; onError where one of them failed, and
 * finally in any case.
 */
import { digestFiles } from '../build/file-digest.ts';
import { globFiles } from '../build/walk-files.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { type ContractInput, makeContract } from './contract.ts';
import type { PipelineHook, StageHooks } from './model.ts';
import type { ContainerFacts, HookList } from './run-context.ts';
import { type HookListResult, runHookList } from './run-hooks.ts';

export interface Stage<T> {
  readonly hooks: StageHooks;
  /** What hooks are told; null: before the work, or when it has failed. */
  readonly facts: (value: T | null) => StageFacts;
  readonly work: () => Promise<PhaseResult<T>>;
  /** Of render: what the hooks after it have made of its manifests. */
  readonly take?: (value: T, manifests: string) => Promise<PhaseResult<T>>;
}

export interface StageFacts {
  readonly phase: ContractInput['phase'];
  /** Absent: those that the session knows. */
  readonly namespaces?: readonly string[];
  readonly containers?: ContainerFacts | null;
  readonly manifests?: string;
  readonly cached?: boolean;
  readonly digests?: ReadonlyMap<string, string>;
  /** Of sync: relative to the artifact's context. */
  readonly syncFiles?: readonly string[];
}

export async function runStage<T>(
  session: PipelineSession,
  stage: Stage<T>,
): Promise<PhaseResult<T>> {
  const result = await runToAfter(session, stage);
  const { onError, finally: last } = stage.hooks;
  const facts = stage.facts(result.outcome === 'Succeeded' ? result.value : null);
  // The first failure is what people are told; those of cleanup have told theirs as events.
  if (result.outcome !== 'Succeeded') await runList(session, onError, facts);
  const lastEnd = await runList(session, last, facts);
  return result.outcome === 'Succeeded' ? (failureOf(lastEnd) ?? result) : result;
}

async function runToAfter<T>(
  session: PipelineSession,
  { hooks, facts, work, take }: Stage<T>,
): Promise<PhaseResult<T>> {
  const notBegun = failureOf(await runList(session, hooks.before, facts(null)));
  if (notBegun !== null) return notBegun;
  const result = await work();
  if (result.outcome !== 'Succeeded') return result;
  const after = await runList(session, hooks.after, facts(result.value));
  const failed = failureOf(after);
  if (failed !== null) return failed;
  if (take === undefined || after.manifests === undefined) return result;
  return take(result.value, after.manifests);
}

/** Also for a list that is of no stage. What their inputs hold is looked at when it is their turn. */
export async function runList(
  session: PipelineSession,
  hooks: HookList['hooks'],
  facts: StageFacts,
): Promise<HookListResult> {
  const digests = facts.digests ?? (await hookDigests(hooks, session));
  return runHookList(hookListOf(session, hooks, { ...facts, digests }), session.hooks);
}

export type Failure = Exclude<PhaseResult<never>, { outcome: 'Succeeded' }>;

/** null: all went well. */
export function failureOf({ outcome, exitCode, failure }: HookListResult): Failure | null {
  if (outcome === 'Succeeded') return null;
  const message = failure?.message ?? 'It was interrupted.';
  return { outcome, exitCode, message, by: 'hook' };
}

/** What a list is run with; digests that are absent are of nothing. */
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

/**
 * What the inputs of hooks hold now: `run: changed` goes by it, and hooks with inputs run before tags are made (PIPE-B8).
 * Of each address with inputs, hex; globs are relative to the folder that the hook runs in.
 */
export async function hookDigests(
  hooks: readonly PipelineHook[],
  { hooks: { workDir }, platform: { files } }: Pick<PipelineSession, 'hooks' | 'platform'>,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const { address, action, policy } of hooks) {
    if (policy.inputs.length === 0) continue;
    const folder = (action.kind === 'host' ? action.dir : undefined) ?? workDir;
    const paths = await globFiles(folder, policy.inputs, { files });
    digests.set(address, await digestFiles(paths, folder, files));
  }
  return digests;
}
