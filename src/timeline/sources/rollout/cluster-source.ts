/** The kinds of the rollout lifecycle that the timeline of a cluster follows. */
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
  type HookAttempt,
  type HookRun,
  type HookRunPhase,
  hookRuns,
  type Phase,
  type RolloutRecord,
  type RolloutStatus,
} from '../../../lifecycles/rollout/kinds.ts';
import type { Bar } from '../../bar.ts';
import type { ClusterSource } from '../follow-cluster.ts';
import { msOf, outcomeOf } from '../run-bars.ts';

export const rolloutSource: ClusterSource = (follow) => [
  follow({ resource: deploymentLifecycles, barsOf: lifecycleBars, succeeded: endedBar }),
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

/**
 * The span of the rollout as a whole, and, behind its hooks, the span of the current phase, unless the rollout has
 * ended.
 */
export function lifecycleBars({ metadata, spec, status }: DeploymentLifecycle): Bar[] {
  const rollout = status?.rollout;
  const startMs = msOf(rollout?.startedAt);
  if (rollout === undefined || startMs === null) return [];
  const { namespace = '', name = '', uid = '' } = metadata ?? {};
  const bar: Common = {
    lifecycle: 'rollout',
    lane: `${namespace}/${spec.deploymentName}`,
    kind: 'phase',
    run: runOf(rollout.number),
    attempt: null,
    where: `DeploymentLifecycle ${namespace}/${name}`,
  };
  const id = `rollout/${uid}/${rollout.number}`;
  const outcome = ENDS[rollout.phase] ?? 'Running';
  const whole: Bar = {
    ...bar,
    id,
    point: rollout.direction.toLowerCase(),
    name: bar.run,
    startMs,
    endMs: endOf(rollout),
    outcome,
    reason: reasonOf(rollout),
    evidence: evidenceOf(rollout),
    ...adviceOf(outcome, `-n ${namespace} ${spec.deploymentName}`),
  };
  return [whole, ...phaseBar(bar, id, rollout)];
}

type Common = Pick<Bar, 'lifecycle' | 'lane' | 'kind' | 'run' | 'attempt' | 'where'>;

function phaseBar(bar: Common, id: string, rollout: RolloutStatus): Bar[] {
  const { phase, phaseStartedAt, waitingFor } = rollout;
  const startMs = msOf(phaseStartedAt);
  if (ENDS[phase] !== undefined || startMs === null) return [];
  const waits = waitingFor === undefined ? {} : { reason: `It waits for ${waitingFor}.` };
  const now = { id: `${id}${PHASE_MARK}${phase}/${startMs}`, point: phase, name: phase };
  return [{ ...bar, ...now, startMs, endMs: null, outcome: 'Running', ...waits }];
}

const PHASE_MARK = '/phase/';

/** Whether this is the span of a phase, which ends when the next phase starts. */
function isPhaseBar({ id }: Pick<Bar, 'id'>): boolean {
  return id.includes(PHASE_MARK);
}

const ENDS: Partial<Record<Phase, Bar['outcome']>> = {
  Done: 'Succeeded',
  Failed: 'Failed',
  Held: 'Failed',
  RolledBack: 'Failed',
};

function endOf(rollout: RolloutStatus): number | null {
  if (ENDS[rollout.phase] === undefined) return null;
  return msOf(rollout.finishedAt) ?? msOf(rollout.phaseStartedAt);
}

function reasonOf({
  failure,
  reason,
  phase,
}: Pick<RolloutStatus, 'failure' | 'phase'> & { readonly reason?: string | undefined }): string {
  return failure?.message ?? reason ?? `It is in the phase ${phase}.`;
}

function evidenceOf(rollout: RolloutStatus): Record<string, string> {
  const { phase, fromRevision, toRevision, failure, digest } = rollout;
  return {
    phase,
    ...(fromRevision === undefined ? {} : { 'from revision': fromRevision }),
    ...(toRevision === undefined ? {} : { 'to revision': toRevision }),
    ...(failure === undefined ? {} : { failure: failure.reason }),
    template: digest.slice(0, DIGEST_SHOWN),
  };
}

const DIGEST_SHOWN = 12;

function adviceOf(outcome: Bar['outcome'], which: string): Pick<Bar, 'next'> {
  if (outcome === 'Failed') return { next: `lifehook rollout retry ${which}` };
  return outcome === 'Running' ? { next: `lifehook rollout status ${which}` } : {};
}

/** The name of a rollout's run, which groups all its spans. */
function runOf(number: number): string {
  return `rollout ${number}`;
}

/**
 * Ends a span that the lifecycle no longer reports. The span of a phase ends when the next phase starts or the rollout
 * ends. A newer rollout ends an open older one. If the older one is in the history, its span ends as recorded there,
 * because its last changes may not have been seen.
 */
export function endedBar(bar: Bar, now: readonly Bar[], { status }: DeploymentLifecycle): Bar {
  const [whole] = now;
  if (whole === undefined || whole.run === bar.run) {
    return isPhaseBar(bar) ? endedPhase(bar, now) : bar;
  }
  const record = status?.history?.find(({ number }) => runOf(number) === bar.run);
  return (record === undefined ? null : recordedEnd(bar, record)) ?? replacedBar(bar, whole);
}

/** null: the rollout had not ended when a newer one began. */
function recordedEnd(bar: Bar, { phases, reason, finishedAt }: RolloutRecord): Bar | null {
  const last = phases.at(-1);
  const outcome = last === undefined ? undefined : ENDS[last.phase];
  if (last === undefined || outcome === undefined) return null;
  const { next: _, reason: _before, ...ended } = bar;
  const until = (time: string | undefined): number => Math.max(bar.startMs, msOf(time) ?? 0);
  if (!isPhaseBar(bar)) {
    const { phase } = last;
    const evidence = { ...bar.evidence, phase };
    const endMs = until(finishedAt ?? last.startedAt);
    return { ...ended, endMs, outcome, evidence, reason: reasonOf({ reason, phase }) };
  }
  const following = phases.find(({ startedAt }) => (msOf(startedAt) ?? 0) > bar.startMs) ?? last;
  const hasFailed = following === last && outcome === 'Failed';
  return {
    ...ended,
    endMs: until(following.startedAt),
    outcome: hasFailed ? 'Failed' : 'Succeeded',
  };
}

function endedPhase(bar: Bar, now: readonly Bar[]): Bar {
  const [whole] = now;
  const next = now.find(isPhaseBar);
  const endMs = Math.max(bar.startMs, next?.startMs ?? whole?.endMs ?? 0);
  const isLast = next === undefined && whole?.outcome === 'Failed';
  // The ended span gets no reason: it was the reason of a wait that is over.
  const { reason: _, ...ended } = bar;
  return { ...ended, endMs, outcome: isLast ? 'Failed' : 'Succeeded' };
}

function replacedBar(bar: Bar, by: Bar): Bar {
  const { next: _, ...ended } = bar;
  const endMs = Math.max(bar.startMs, by.startMs);
  return { ...ended, endMs, outcome: 'Cancelled', reason: `It was replaced by ${by.run}.` };
}
