/** The kinds of the snapshot lifecycle that the timeline of a cluster follows. */
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  executionHooks,
} from '../../../lifecycles/snapshot/kinds.ts';
import {
  reaches,
  type RequiredLevel,
  requiredLevelOf,
} from '../../../lifecycles/snapshot/required-level.ts';
import type { Bar } from '../../bar.ts';
import type { ClusterSource } from '../follow-cluster.ts';
import { msOf } from '../run-bars.ts';
import { executionHookBars, frozenBar, titleOf } from './hook-bars.ts';

export const snapshotSource: ClusterSource = (follow) => [
  follow({ resource: executionHooks, barsOf: executionHookBars }),
  follow({ resource: applicationSnapshots, barsOf: snapshotBars, keptBarsOf: keptFreezes }),
];

type Status = NonNullable<ApplicationSnapshot['status']>;

/**
 * An ApplicationSnapshot as spans: the whole snapshot with its verdict, the time that the cutting took, and the cut
 * itself. Pure.
 */
export function snapshotBars(snapshot: ApplicationSnapshot): Bar[] {
  const { metadata = {}, status = {} } = snapshot;
  const { namespace = '', name = '', uid = '' } = metadata;
  const bar: Common = {
    lifecycle: 'snapshot',
    lane: `${namespace}/${name}`,
    run: name,
    attempt: null,
    where: `ApplicationSnapshot ${namespace}/${name}`,
  };
  const required = requiredLevelOf(snapshot);
  const about = { bar, id: `snapshot/${uid}`, namespace, status, required };
  return [...wholeBar(about), ...cuttingBar(about), ...cutBars(about)];
}

/**
 * The freeze windows of deleted hooks, from the evidence in the snapshot. If the hook still exists, its own span has
 * the same id and more details.
 */
export function keptFreezes({ metadata = {}, status = {} }: ApplicationSnapshot): Bar[] {
  const { namespace = '', name: run = '' } = metadata;
  const { hooks = [], executionHookNames = [], executionHookInfos = [] } = status;
  return hooks.flatMap(({ name, lastThawAt: releasedAt, targets }) => {
    const title = titleOf(executionHookInfos[executionHookNames.indexOf(name)] ?? {}, name);
    const hook = { namespace, name, uid: '', title, run, releasedAt };
    return targets.flatMap((target) => frozenBar(hook, target));
  });
}

type Common = Pick<Bar, 'lifecycle' | 'lane' | 'run' | 'attempt' | 'where'>;

interface About {
  readonly bar: Common;
  readonly id: string;
  readonly namespace: string;
  readonly status: Status;
  readonly required: RequiredLevel;
}

function wholeBar({ bar, id, namespace, status, required }: About): Bar[] {
  const startMs = msOf(status.startedAt);
  if (startMs === null) return [];
  const { verdict, failure } = status;
  const outcome = outcomeOfSnapshot(status, required);
  const reason = failure?.message ?? verdict?.message ?? `It is in the phase ${status.phase}.`;
  const isBad = outcome === 'Failed' || outcome === 'Unknown';
  return [
    {
      ...bar,
      id: `${id}/whole`,
      kind: 'phase',
      point: 'snapshot',
      name: bar.run,
      startMs,
      endMs: msOf(status.completedAt) ?? msOf(failure?.at),
      outcome,
      reason,
      evidence: evidenceOf(status, required),
      ...(isBad ? { next: `lifehook snapshot status -n ${namespace} ${bar.run}` } : {}),
    },
  ];
}

/** Judges as the exit code of `lifehook snapshot create` does. */
function outcomeOfSnapshot({ phase, verdict }: Status, required: RequiredLevel): Bar['outcome'] {
  if (phase === 'Failed') return 'Failed';
  if (phase !== 'Completed') return 'Running';
  if (verdict === undefined) return 'Unknown';
  if (reaches(verdict, required)) return 'Succeeded';
  return verdict.value === 'Unknown' ? 'Unknown' : 'Failed';
}

function evidenceOf(
  { phase, verdict, failure, volumes = [] }: Status,
  required: RequiredLevel,
): Record<string, string> {
  const windowMs = verdict?.freezeWindowMs;
  const claims = volumes.map(({ claimName }) => claimName).join(', ');
  return {
    ...(phase === undefined ? {} : { phase }),
    ...(verdict === undefined ? {} : { verdict: `${verdict.value}: ${verdict.reason}`, required }),
    ...(windowMs === undefined ? {} : { 'freeze window': `${windowMs} ms` }),
    ...(failure === undefined ? {} : { failure: failure.reason }),
    ...(claims === '' ? {} : { volumes: claims }),
  };
}

/** The span of the cutting. It starts at the durable intent, and ends when the last volume was observed to be cut. */
function cuttingBar({ bar, id, status }: About): Bar[] {
  const startMs = msOf(status.cutRequestedAt);
  if (startMs === null) return [];
  const observedMs = msOf(status.cutObservedAt);
  const failedMs = msOf(status.failure?.at);
  const endMs = observedMs ?? failedMs ?? msOf(status.completedAt);
  const common = { ...bar, id: `${id}/cutting`, kind: 'phase', point: 'cutting' } as const;
  const outcome = observedMs === null ? (endMs === null ? 'Running' : 'Failed') : 'Succeeded';
  return [{ ...common, name: 'cutting', startMs, endMs, outcome }];
}

/** The marks of the cut, on the track of the snapshot and on the tracks of all targets that were frozen for it. */
function cutBars({ bar, id, namespace, status }: About): Bar[] {
  const atMs = msOf(status.cutObservedAt);
  if (atMs === null) return [];
  const cut = { kind: 'cut', point: 'cut', name: 'cut', startMs: atMs, endMs: atMs } as const;
  const reason = 'The cut of the last volume was observed.';
  const targets = (status.hooks ?? []).flatMap((hook) => hook.targets);
  const lanes = targets.map(
    ({ podName, containerName }) => `${namespace}/${podName}/${containerName}`,
  );
  return [bar.lane, ...new Set(lanes)].map((lane) => ({
    ...bar,
    ...cut,
    lane,
    id: `${id}/cut/${lane}`,
    outcome: 'Succeeded' as const,
    reason,
  }));
}
