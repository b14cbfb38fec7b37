/** A DeploymentLifecycle as spans: its rollout, and the current phase. Pure. */
import type {
  DeploymentLifecycle,
  Phase,
  RolloutStatus,
} from '../../../lifecycles/rollout/kinds.ts';
import type { Bar } from '../../bar.ts';
import { msOf } from '../run-bars.ts';

/** The rollout as a whole, and behind its hooks the current phase, unless the rollout has ended. */
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

/** True: the span of a phase, which ends when the next one starts. */
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

function reasonOf({ failure, reason, phase }: RolloutStatus): string {
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

/** Groups the spans of one rollout. */
export function runOf(number: number): string {
  return `rollout ${number}`;
}

/** A phase of a rollout ends when the next one starts, or the rollout ends. */
export function endOfPhase(bar: Bar, now: readonly Bar[]): Bar {
  if (!isPhaseBar(bar)) return bar;
  const [whole] = now;
  const next = now.find(isPhaseBar);
  const endMs = Math.max(bar.startMs, next?.startMs ?? whole?.endMs ?? 0);
  const isLast = next === undefined && whole?.outcome === 'Failed';
  // The reason of its wait no longer applies.
  const { reason: _, ...ended } = bar;
  return { ...ended, endMs, outcome: isLast ? 'Failed' : 'Succeeded' };
}
