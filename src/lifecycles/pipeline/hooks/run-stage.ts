/**
 * One phase with its hooks, as every phase has them: before, the work, after; onError where one of them failed, and
 * finally in any case.
 */
import type { PhaseResult, PipelineSession } from '../session.ts';
import { type ContractInput, makeContract } from './contract.ts';
import type { StageHooks } from './model.ts';
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
  const run = (hooks: HookList['hooks']): Promise<HookListResult> =>
    runHookList(hookListOf(session, hooks, facts), session.hooks);
  // The first failure is what people are told; those of cleanup have told theirs as events.
  if (result.outcome !== 'Succeeded') await run(onError);
  const lastEnd = await run(last);
  if (result.outcome !== 'Succeeded') return result;
  return failureOf(lastEnd) ?? result;
}

async function runToAfter<T>(
  session: PipelineSession,
  { hooks, facts, work, take }: Stage<T>,
): Promise<PhaseResult<T>> {
  const before = hookListOf(session, hooks.before, facts(null));
  const notBegun = failureOf(await runHookList(before, session.hooks));
  if (notBegun !== null) return notBegun;
  const result = await work();
  if (result.outcome !== 'Succeeded') return result;
  const list = hookListOf(session, hooks.after, facts(result.value));
  const after = await runHookList(list, session.hooks);
  const failed = failureOf(after);
  if (failed !== null) return failed;
  if (take === undefined || after.manifests === undefined) return result;
  return take(result.value, after.manifests);
}

/** Also for who runs a list that is of no stage. */
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

function failureOf(end: HookListResult | null): PhaseResult<never> | null {
  if (end === null || end.outcome === 'Succeeded') return null;
  const { outcome, exitCode, failure } = end;
  return { outcome, exitCode, message: failure?.message ?? 'It was interrupted.' };
}
