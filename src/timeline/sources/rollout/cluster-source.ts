/** The kinds of the rollout lifecycle that the timeline of a cluster follows. */
import {
  deploymentLifecycles,
  type HookAttempt,
  type HookRun,
  type HookRunPhase,
  hookRuns,
} from '../../../lifecycles/rollout/kinds.ts';
import type { Bar } from '../../bar.ts';
import type { ClusterSource } from '../follow-cluster.ts';
import { msOf, outcomeOf } from '../run-bars.ts';
import { endOfPhase, lifecycleBars, runOf } from './rollout-bars.ts';

export const rolloutSource: ClusterSource = (follow) => [
  follow({ resource: deploymentLifecycles, barsOf: lifecycleBars, succeeded: endOfPhase }),
  follow({ resource: hookRuns, barsOf: hookRunBars }),
];

/** A HookRun as spans, one for each attempt. Pure. */
export function hookRunBars(run: HookRun): Bar[] {
  const { status } = run;
  if (status === undefined) return [];
  const about = factsOf(run);
  if (status.attempts.length > 0) return status.attempts.flatMap((one) => attemptBar(about, one));
  const startMs = msOf(status.startedAt);
  if (startMs === null || status.phase === 'Running') return [];
  const { bar, id, evidence, next } = about;
  const times = { attempt: null, startMs, endMs: msOf(status.finishedAt) };
  const outcome = OF_RUNS[status.phase];
  const reason = status.message ?? status.reason ?? status.phase;
  return [{ ...bar, id, ...times, outcome, reason, evidence, next }];
}

function factsOf({ metadata = {}, spec }: HookRun): RunFacts {
  const { namespace = '', name = '', uid = '' } = metadata;
  const { deploymentName, lifecycleName, rollout, stage, direction, hook } = spec;
  return {
    bar: {
      lifecycle: 'rollout',
      lane: `${namespace}/${deploymentName}`,
      kind: 'hook',
      run: runOf(rollout),
      point: stage,
      name: `${stage} of ${deploymentName}`,
      where: `DeploymentLifecycle ${namespace}/${lifecycleName}`,
    },
    id: `rollout/run/${uid}`,
    evidence: {
      'hook run': name,
      'failure policy': hook.failurePolicy ?? 'Retry',
      ...(direction === 'Rollback' ? { direction } : {}),
    },
    next: `lifehook rollout status -n ${namespace} ${deploymentName}`,
  };
}

interface RunFacts {
  readonly bar: Pick<Bar, 'lifecycle' | 'lane' | 'kind' | 'run' | 'point' | 'name' | 'where'>;
  readonly id: string;
  readonly evidence: Readonly<Record<string, string>>;
  readonly next: string;
}

const OF_RUNS: Readonly<Record<HookRunPhase, Bar['outcome']>> = {
  Running: 'Running',
  Succeeded: 'Succeeded',
  Failed: 'Failed',
  Ignored: 'Failed',
  Aborted: 'Cancelled',
  Unknown: 'Unknown',
};

function attemptBar({ bar, id, evidence, next }: RunFacts, attempt: HookAttempt): Bar[] {
  const startMs = msOf(attempt.startedAt);
  if (startMs === null) return [];
  const outcome = outcomeOf(attempt.outcome);
  const isBad = outcome === 'Failed' || outcome === 'Unknown';
  const one: Bar = {
    ...bar,
    id: `${id}/${attempt.number}`,
    attempt: attempt.number,
    startMs,
    endMs: msOf(attempt.finishedAt),
    outcome,
    ...reportedBy(attempt),
    evidence: { ...evidence, pod: attempt.podName, 'fencing token': `${attempt.fencingToken}` },
    ...(isBad ? { next } : {}),
  };
  return [one];
}

function reportedBy({ exitCode, signal, lastLines = [], ...attempt }: HookAttempt): Partial<Bar> {
  const { reason, message, waitsFor } = attempt;
  const waits = waitsFor === undefined ? undefined : `It waits: ${waitsFor}`;
  const why = [reason, message, waits]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal: `${signal}` }),
    ...(why === '' ? {} : { reason: why }),
    ...(lastLines.length === 0 ? {} : { stdout: lastLines.join('\n') }),
  };
}
