/** The hooks around one build, or around the whole phase: with which facts and variables their lists run. */
import type { StageHooks, When } from '../hooks/model.ts';
import { makeContract, type PhaseFacts } from '../hooks/contract.ts';
import { runHookList } from '../hooks/run-hooks.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { hookDigests } from './hook-digests.ts';

export interface HookedWork<T> {
  readonly hooks: StageHooks;
  /** What the hooks' variables tell of. */
  readonly phase: PhaseFacts;
  /** All that is built was found in the cache. */
  readonly cached: boolean;
  readonly work: () => Promise<PhaseResult<T>>;
}

/** before, the work, after; onError where one of them failed; finally in any case. The first failure is the result. */
export async function runHooked<T>(
  hooked: HookedWork<T>,
  session: PipelineSession,
): Promise<PhaseResult<T>> {
  const result = await withBeforeAndAfter(hooked, session);
  if (result.outcome !== 'Succeeded') await runStage('onError', hooked, session);
  const last = await runStage('finally', hooked, session);
  return result.outcome === 'Succeeded' && last !== null ? last : result;
}

async function withBeforeAndAfter<T>(
  hooked: HookedWork<T>,
  session: PipelineSession,
): Promise<PhaseResult<T>> {
  const before = await runStage('before', hooked, session);
  if (before !== null) return before;
  const result = await hooked.work();
  if (result.outcome !== 'Succeeded') return result;
  return (await runStage('after', hooked, session)) ?? result;
}

type Failure = Exclude<PhaseResult<never>, { outcome: 'Succeeded' }>;

/** null: all went well. */
export async function runStage(
  when: When,
  { hooks, phase, cached }: Omit<HookedWork<unknown>, 'work'>,
  session: PipelineSession,
): Promise<Failure | null> {
  const { compat, history } = session.hooks;
  const list = hooks[when];
  if (list.length === 0) return null;
  const digests = await hookDigests(list, session);
  const { outcome, exitCode, failure } = await runHookList(
    {
      hooks: list,
      facts: { goos: session.goos, cached, syncFiles: null, digests, history },
      contract: makeContract({ session: session.facts, phase, compat }),
      containers: null,
    },
    session.hooks,
  );
  if (outcome === 'Succeeded') return null;
  return { outcome, exitCode, message: failure?.message ?? 'The build was interrupted.' };
}
