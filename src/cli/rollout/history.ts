/**
 * `lifehook rollout history DEPLOYMENT`: lists the last ten rollouts. Their phases are from the records in the
 * lifecycle's status, and their hooks from the HookRuns. Their revisions are from the ReplicaSets, numbered as in
 * `kubectl rollout history`.
 */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { replicaSets } from '../../kube/resources.ts';
import type {
  Direction,
  HookRun,
  Phase,
  PhaseRecord,
  RolloutRecord,
  Stage,
} from '../../lifecycles/rollout/kinds.ts';
import { withHistory } from '../../lifecycles/rollout/machine/rollout-history.ts';
import { templateDigest } from '../../lifecycles/rollout/template-digest.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { type Listing, printListing, toneOf } from '../listing.ts';
import type { ListFormat } from '../shared-options.ts';
import { readRollout, type RolloutFacts } from './read-rollout.ts';
import { STAGES } from './rollout-view.ts';
import { durationText } from './status-text.ts';

export interface HistoryOptions extends KubeOptions {
  readonly output: ListFormat;
}

export async function runRolloutHistory(name: string, options: HistoryOptions): Promise<number> {
  using cluster = await connectToKube(options, 'rollout history');
  const { client, namespace } = cluster;
  const [facts, { items }] = await Promise.all([
    readRollout(cluster, name),
    client.list(replicaSets, { namespace }),
  ]);
  const history = historyOf(facts, items);
  printListing(historyListing(history), options.output);
  return exitCodes.done;
}

export interface RolloutEntry {
  readonly number: number;
  /** Revision number of `kubectl rollout history`; absent: the rollout never ran, or its revision is not known. */
  readonly revision?: string;
  readonly direction: Direction;
  /**
   * The last phase, which is the outcome of an ended rollout; absent: an earlier version of the controller did not
   * record phases.
   */
  readonly phase?: Phase;
  /** The reason of the failure; without a failure, the reason of the end. */
  readonly reason?: string;
  readonly startedAt: string;
  readonly releasedAt?: string;
  readonly finishedAt?: string;
  readonly phases: readonly PhaseEntry[];
  readonly hooks: readonly HookEntry[];
}

export interface PhaseEntry {
  readonly phase: Phase;
  readonly startedAt: string;
  /** Milliseconds; absent for the last phase. */
  readonly durationMs?: number;
}

export interface HookEntry {
  readonly stage: Stage;
  readonly result: string;
  readonly reason?: string;
  readonly attempts: number;
  readonly durationMs?: number;
}

const REVISION = 'deployment.kubernetes.io/revision';

/** The rollouts, newest first. */
export function historyOf(facts: RolloutFacts, sets: readonly ReplicaSet[]): RolloutEntry[] {
  const status = withHistory(facts.lifecycle.status ?? {});
  const records = new Map((status.history ?? []).map((record) => [record.number, record]));
  const revisions = revisionsOf(facts, sets);
  const numbers = new Set([...records.keys(), ...facts.runs.map(({ spec }) => spec.rollout)]);
  return [...numbers]
    .toSorted((one, other) => other - one)
    .flatMap((number) => {
      const runs = STAGES.flatMap((stage) =>
        facts.runs.filter(({ spec }) => spec.rollout === number && spec.stage === stage),
      );
      const record = records.get(number);
      return record === undefined ? unrecorded(runs, revisions) : recorded(record, runs, revisions);
    });
}

export function historyListing(history: readonly RolloutEntry[]): Listing<RolloutEntry> {
  return {
    items: history,
    none: 'No rollout is recorded.',
    nameOf: ({ number }) => `${number}`,
    columns: [
      { heading: 'NUMBER', cell: ({ number }) => `${number}` },
      { heading: 'REVISION', cell: ({ revision = '-' }) => revision },
      { heading: 'DIRECTION', cell: ({ direction }) => direction },
      { heading: 'PHASE', cell: outcomeText, tone: ({ phase = '' }) => toneOf(phase) },
      ...STAGES.map((stage) => ({
        heading: upper(stage),
        cell: ({ hooks }: RolloutEntry) => hookText(hooks.find((hook) => hook.stage === stage)),
      })),
      { heading: 'STARTED', cell: ({ startedAt }) => startedAt },
      { heading: 'RELEASED', cell: ({ releasedAt = '-' }) => releasedAt, isWide: true },
      { heading: 'FINISHED', cell: ({ finishedAt = '-' }) => finishedAt, isWide: true },
      { heading: 'TOOK', cell: tookText },
      { heading: 'PHASES', cell: phasesText },
    ],
  };
}

function outcomeText({ phase, reason }: RolloutEntry): string {
  return `${phase ?? '-'}${reason === undefined ? '' : ` (${reason})`}`;
}

function tookText({ startedAt, finishedAt }: RolloutEntry): string {
  if (finishedAt === undefined) return '-';
  return durationText(Date.parse(finishedAt) - Date.parse(startedAt));
}

/** The phases before the last one, which is in the column PHASE. */
function phasesText({ phases }: RolloutEntry): string {
  const past = phases.flatMap(({ phase, durationMs }) =>
    durationMs === undefined ? [] : [`${phase} ${durationText(durationMs)}`],
  );
  return past.length === 0 ? '-' : past.join(', ');
}

function revisionsOf(
  { deployment }: RolloutFacts,
  sets: readonly ReplicaSet[],
): Map<string, string> {
  const uid = deployment.metadata?.uid;
  const own = sets.filter(({ metadata }) =>
    (metadata?.ownerReferences ?? []).some((owner) => owner.uid === uid),
  );
  return new Map(
    own.flatMap(({ metadata, spec }) => {
      const revision = metadata?.annotations?.[REVISION];
      return revision === undefined ? [] : [[templateDigest(spec?.template), revision]];
    }),
  );
}

function recorded(
  record: RolloutRecord,
  runs: readonly HookRun[],
  revisions: ReadonlyMap<string, string>,
): RolloutEntry {
  const { digest, toRevision, fromRevision: _, phases, ...reported } = record;
  const known = revisionOf(revisions, { digest, toRevision });
  // A released template had the recorded revision, even if its ReplicaSet no longer exists.
  const revision = known ?? (reported.releasedAt === undefined ? undefined : toRevision);
  const { phase } = phases.at(-1) ?? {};
  return {
    ...reported,
    ...(revision === undefined ? {} : { revision }),
    ...(phase === undefined ? {} : { phase }),
    phases: phases.map((one, index) => phaseEntry(one, phases[index + 1])),
    hooks: runs.map(hookEntry),
  };
}

function phaseEntry(one: PhaseRecord, next: PhaseRecord | undefined): PhaseEntry {
  if (next === undefined) return one;
  return { ...one, durationMs: Date.parse(next.startedAt) - Date.parse(one.startedAt) };
}

/** The entry of a rollout that an earlier version of the controller ran: only its hooks are known. */
function unrecorded(
  runs: readonly HookRun[],
  revisions: ReadonlyMap<string, string>,
): RolloutEntry[] {
  const [first] = runs;
  if (first === undefined) return [];
  const { rollout: number, direction, digest } = first.spec;
  // The last hook is used, because later hooks have more data than the first.
  const revision = revisionOf(revisions, { digest, toRevision: runs.at(-1)?.spec.toRevision });
  const entry = {
    number,
    direction,
    startedAt: first.status?.startedAt ?? '-',
    phases: [],
    hooks: runs.map(hookEntry),
  };
  return [revision === undefined ? entry : { ...entry, revision }];
}

/**
 * The revision of a template. The revision that a hook received is only a forecast: it is used only if a ReplicaSet has
 * the template.
 */
function revisionOf(
  revisions: ReadonlyMap<string, string>,
  { digest, toRevision }: { readonly digest: string; readonly toRevision: string | undefined },
): string | undefined {
  const now = revisions.get(digest);
  return now === undefined ? undefined : (toRevision ?? now);
}

function hookEntry({ spec, status }: HookRun): HookEntry {
  const { phase: result = 'Running', reason, attemptCount: attempts = 0 } = status ?? {};
  const entry = {
    stage: spec.stage,
    result,
    attempts,
    ...(reason === undefined ? {} : { reason }),
  };
  if (status?.finishedAt === undefined) return entry;
  return { ...entry, durationMs: Date.parse(status.finishedAt) - Date.parse(status.startedAt) };
}

function hookText(hook: HookEntry | undefined): string {
  if (hook === undefined) return '-';
  const { result, attempts, durationMs } = hook;
  const often = attempts > 1 ? ` x${attempts}` : '';
  return `${result}${often}${durationMs === undefined ? '' : ` ${durationText(durationMs)}`}`;
}

function upper(stage: Stage): string {
  return stage.toUpperCase();
}
