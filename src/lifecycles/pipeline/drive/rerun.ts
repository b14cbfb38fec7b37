/**
 * `rerun`: one hook once more, with the environment that was recorded when it ran. Its command is that of the
 * configuration as it is now, so that one that was corrected can be tried. Secrets are in no record: they come from
 * the environment of who runs it again.
 */
import { nearestWord } from '../../../model/nearest-word.ts';
import { LifehookError } from '../../../model/problem.ts';
import type { PipelineHook } from '../hooks/model.ts';
import type { RecordedRun } from '../hooks/recorded-run.ts';
import type { HookList, HookRunContext } from '../hooks/run-context.ts';
import { runHookList } from '../hooks/run-hooks.ts';
import type { RunRecords } from '../hooks/run-records.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { SessionValues } from '../values/session-values.ts';
import { everyHook } from './every-hook.ts';

export interface Rerun {
  /** What a hook with `withChange` has made of the manifests; null: it is none. */
  readonly manifests: string | null;
}

/** The run of this id, or the last one of the hook at this address. Throws LHL651 where there is none. */
export async function findRun(records: RunRecords, wanted: string): Promise<RecordedRun> {
  const byId = await records.read(wanted);
  if (byId !== null) return byId;
  const all = await records.all();
  const last = all.find(({ address }) => address === wanted);
  if (last !== undefined) return last;
  const addresses = [...new Set(all.map(({ address }) => address))].slice(0, MAX_SHOWN);
  throw new LifehookError({
    code: 'LHL651',
    severity: 'error',
    message: `"${wanted}" is neither the id of a recorded run nor the address of a hook that has run from here.`,
    next: nextOf(wanted, addresses),
  });
}

function nextOf(wanted: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return 'Run the pipeline first: nothing is recorded yet.';
  const meant = nearestWord(wanted, addresses);
  return meant === null ? `Take one of ${addresses.join(', ')}.` : `Did you mean "${meant}"?`;
}

/** Addresses that an error lists. */
const MAX_SHOWN = 20;

export async function rerunHook(
  session: PipelineSession,
  run: RecordedRun,
): Promise<PhaseResult<Rerun>> {
  const found = everyHook(session.config).find(({ address }) => address === run.address);
  if (found === undefined) throw goneHook(run, session);
  const hook: PipelineHook = { ...found, policy: { ...found.policy, run: 'always' } };
  if (run.manifestsWithheld) throw noManifests(run);
  const context = contextOf(session.hooks, hook, run);
  const end = await runHookList(listOf(session, hook, run), context);
  const { outcome, exitCode, failure } = end;
  if (outcome !== 'Succeeded') {
    return { outcome, exitCode, message: failure?.message ?? 'It was interrupted.' };
  }
  const changes = hook.action.kind === 'host' && hook.action.withChange === true;
  return { outcome: 'Succeeded', value: { manifests: changes ? (end.manifests ?? null) : null } };
}

function listOf(session: PipelineSession, hook: PipelineHook, run: RecordedRun): HookList {
  return {
    hooks: [hook],
    facts: {
      goos: session.goos,
      cached: false,
      syncFiles: null,
      digests: new Map(),
      history: session.hooks.history,
    },
    contract: run.contract,
    containers: run.containers === null ? null : { ...run.containers, waitMs: 0 },
    ...(run.manifests === null ? {} : { manifests: run.manifests }),
  };
}

/** Secrets are given as values of hooks, since those are masked whatever their names. */
function contextOf(context: HookRunContext, hook: PipelineHook, run: RecordedRun): HookRunContext {
  const needed = run.withheld.filter((name) => hook.policy.env[name] === undefined);
  const missing = needed.filter((name) => context.callerEnv[name] === undefined);
  if (missing.length > 0) throw noSecrets(run, missing);
  const secrets = Object.fromEntries(
    needed.map((name) => [name, context.callerEnv[name] ?? ''] as const),
  );
  const values = new SessionValues();
  values.record({ hook: 'rerun', iteration: 1, values: secrets, outputs: {}, secrets: needed });
  return { ...context, callerEnv: run.variables, values };
}

function goneHook({ runId, address }: RecordedRun, { config }: PipelineSession): LifehookError {
  const known = everyHook(config).map((hook) => hook.address);
  const profiles = config.profiles.length === 0 ? 'no profile' : config.profiles.join(', ');
  return new LifehookError({
    code: 'LHL652',
    severity: 'error',
    message: `The hook ${address} of run ${runId} is not in the configuration (${profiles} activated).`,
    next: `Activate the profiles of that run (-p), or take one of ${known.slice(0, MAX_SHOWN).join(', ')}.`,
  });
}

function noSecrets({ runId, address }: RecordedRun, missing: readonly string[]): LifehookError {
  const example = `${missing[0] ?? ''}=… lifehook pipeline rerun ${runId}`;
  return new LifehookError({
    code: 'LHL653',
    severity: 'error',
    message: `${address} was run with secrets, which are in no record, and the environment has none of these: ${missing.join(', ')}.`,
    next: `Set them: ${example}`,
  });
}

function noManifests({ address }: RecordedRun): LifehookError {
  return new LifehookError({
    code: 'LHL654',
    severity: 'error',
    message: `The manifests that ${address} was given were not recorded: they hold a secret, or are too long.`,
    next: 'Run it with all of its phase: lifehook pipeline render.',
  });
}
