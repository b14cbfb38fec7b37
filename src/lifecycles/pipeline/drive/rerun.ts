/**
 * Implements `rerun`, which runs one hook again. The command is that of the current configuration, so that a user can
 * try a corrected command. The environment is that of the user who reruns the hook. Variables that earlier hooks had
 * set are known by name: their values are taken from the record if they were declared harmless, else from the user's
 * environment.
 */
import { nearestWord } from '../../../model/nearest-word.ts';
import { LifehookError } from '../../../model/problem.ts';
import type { PipelineHook } from '../hooks/model.ts';
import type { RecordedRun } from '../hooks/recorded-run.ts';
import type { HookList, HookRunContext } from '../hooks/run-context.ts';
import { runHookList } from '../hooks/run-hooks.ts';
import { failureOf } from '../hooks/run-stage.ts';
import type { RunRecords } from '../hooks/run-records.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { SessionValues } from '../values/session-values.ts';
import { everyHook } from '../config/map-hooks.ts';

export interface Rerun {
  /** The manifests as the hook changed them; null: the hook has no `withChange`. */
  readonly manifests: string | null;
}

/** The run with this id, or the last run of the hook at this address. Throws LHL651 if there is none. */
export async function findRun(records: RunRecords, wanted: string): Promise<RecordedRun> {
  const byId = await records.read(wanted);
  if (byId !== null) return byId;
  const all = await records.all();
  const last = all.find(({ address }) => address === wanted);
  if (last !== undefined) return last;
  const addresses = [...new Set(all.map(({ address }) => address))].slice(0, MAX_SHOWN);
  throw new LifehookError({
    code: 'LHL651',
    message: `"${wanted}" is neither the id of a recorded run nor the address of a hook with a recorded run.`,
    next: nextOf(wanted, addresses),
  });
}

function nextOf(wanted: string, addresses: readonly string[]): string {
  if (addresses.length === 0) return 'Run the pipeline first: nothing is recorded yet.';
  const meant = nearestWord(wanted, addresses);
  return meant === null ? `Name one of ${addresses.join(', ')}.` : `Did you mean "${meant}"?`;
}

/** Maximum number of addresses in an error. */
const MAX_SHOWN = 20;

export async function rerunHook(
  session: PipelineSession,
  run: RecordedRun,
): Promise<PhaseResult<Rerun>> {
  const found = everyHook(session.config).find(({ address }) => address === run.address);
  if (found === undefined) throw hookNotFound(run, session);
  const hook: PipelineHook = { ...found, policy: { ...found.policy, run: 'always' } };
  if (run.manifestsWithheld) throw noManifests(run);
  const context = contextOf(session, hook, run);
  const end = await runHookList(listOf(session, hook, run), context);
  const failed = failureOf(end);
  if (failed !== null) return failed;
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

/**
 * Passes the variables as values of hooks. So the contract and the hook's own variables override them, as in the
 * original run.
 */
function contextOf(session: PipelineSession, hook: PipelineHook, run: RecordedRun): HookRunContext {
  const context = session.hooks;
  const known = { ...context.callerEnv, ...run.values };
  const needed = run.variables.filter((name) => hook.policy.env[name] === undefined);
  const missing = needed.filter((name) => known[name] === undefined);
  if (missing.length > 0) throw noValues(run, missing);
  const given = Object.fromEntries(needed.map((name) => [name, known[name] ?? ''] as const));
  const secrets = everyHook(session.config).flatMap(({ policy }) => policy.secrets);
  const values = new SessionValues();
  const recordedValues = Object.keys(run.values);
  const reported = { hook: 'rerun', iteration: 1, values: given, outputs: {} };
  values.record({ ...reported, secrets, recordedValues });
  return { ...context, values };
}

function hookNotFound({ runId, address }: RecordedRun, { config }: PipelineSession): LifehookError {
  const known = everyHook(config).map((hook) => hook.address);
  const profiles = config.profiles.length === 0 ? 'no profile' : config.profiles.join(', ');
  return new LifehookError({
    code: 'LHL652',
    message: `The hook ${address} of run ${runId} is not in the configuration (${profiles} activated).`,
    next: `Activate the profiles of that run (-p), or name one of ${known.slice(0, MAX_SHOWN).join(', ')}.`,
  });
}

function noValues({ runId, address }: RecordedRun, missing: readonly string[]): LifehookError {
  const example = `${missing[0] ?? ''}=… lifehook pipeline rerun ${runId}`;
  return new LifehookError({
    code: 'LHL653',
    message: `${address} ran with variables that earlier hooks had set. The record does not have their values, and the environment does not set ${missing.join(', ')}.`,
    next: `Set them: ${example}`,
  });
}

function noManifests({ address }: RecordedRun): LifehookError {
  return new LifehookError({
    code: 'LHL654',
    message: `The manifests that ${address} was given were not recorded: they hold a secret, or are too long.`,
    next: 'Run its whole phase: lifehook pipeline render.',
  });
}
