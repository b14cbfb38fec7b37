/** The state of a rollout as a user sees it, with its wait and the next step. Pure. */
import type { Condition } from '../../controller/conditions.ts';
import type {
  Direction,
  HookAttempt,
  HookRun,
  HookRunPhase,
  Phase,
  RolloutFailure,
  RolloutStatus,
  Stage,
} from '../../lifecycles/rollout/kinds.ts';
import { marksOf } from '../../lifecycles/rollout/machine/marks.ts';
import { ROLLOUT } from '../../lifecycles/rollout/names.ts';
import { templateDigest } from '../../lifecycles/rollout/template-digest.ts';
import { exitCodes } from '../exit-codes.ts';
import { nextStep } from './status-text.ts';
import type { RolloutFacts } from './read-rollout.ts';

/** The value that `-o json` prints. */
export interface RolloutView {
  readonly namespace: string;
  readonly deployment: string;
  readonly lifecycle: string;
  readonly gate: 'Admission' | 'PausedAtRest';
  /** Rollout number of the newest template; 0: no template was stamped. */
  readonly number: number;
  /** Rollout number of the template that may run; 0: no template was released. */
  readonly released: number;
  /** NotBegun: the controller has not started the new template. None: there was no rollout yet. */
  readonly phase: Phase | 'NotBegun' | 'None';
  readonly direction?: Direction;
  readonly fromRevision?: string;
  readonly toRevision?: string;
  readonly startedAt?: string;
  readonly phaseStartedAt?: string;
  readonly finishedAt?: string;
  readonly reason?: string;
  readonly waitsFor?: string;
  readonly failure?: RolloutFailure;
  readonly hooks: readonly HookView[];
  readonly conditions: readonly Condition[];
  readonly next?: string;
}

export interface HookView {
  readonly name: string;
  readonly stage: Stage;
  readonly phase: HookRunPhase;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly attemptCount: number;
  readonly attempts: readonly HookAttempt[];
}

export const STAGES: readonly Stage[] = ['pre', 'mid', 'post'];

const ENDED: readonly RolloutView['phase'][] = ['None', 'Done', 'Failed', 'Held', 'RolledBack'];

export function hasEnded({ phase }: Pick<RolloutView, 'phase'>): boolean {
  return ENDED.includes(phase);
}

export function viewOf(facts: RolloutFacts): RolloutView {
  const { rollout, conditions = [] } = facts.lifecycle.status ?? {};
  const number = newestNumber(facts);
  const phase = phaseOf(facts, number);
  const begun = phase === 'NotBegun' || rollout === undefined ? {} : progressOf(rollout);
  const hooks = STAGES.flatMap((stage) => facts.runs.filter(isOf(number, stage)).map(hookView));
  const { released } = marksOf(facts.deployment);
  const known = { ...namesOf(facts), number, released, phase, ...begun, hooks, conditions };
  const waitsFor = whatItWaitsFor(known, facts);
  const view = { ...known, ...(waitsFor === null ? {} : { waitsFor }) };
  const next = nextStep(view);
  return { ...view, ...(next === null ? {} : { next }) };
}

function namesOf({
  deployment,
  lifecycle,
}: RolloutFacts): Pick<RolloutView, 'namespace' | 'deployment' | 'lifecycle' | 'gate'> {
  const { namespace = '', name = '' } = deployment.metadata ?? {};
  const { gate = 'Admission' } = lifecycle.spec;
  return { namespace, deployment: name, lifecycle: lifecycle.metadata?.name ?? '', gate };
}

/** The exit code for a rollout; 0 also while it runs, because only an ended rollout can have failed. */
export function exitCodeOf({ phase, hooks }: RolloutView): number {
  if (phase !== 'Failed' && phase !== 'Held' && phase !== 'RolledBack') return exitCodes.done;
  const failed = hooks.some((hook) => hook.phase === 'Failed' || hook.phase === 'Unknown');
  return failed ? exitCodes.hookFailed : exitCodes.failed;
}

function newestNumber({ deployment, lifecycle }: RolloutFacts): number {
  const stamped = Number(deployment.metadata?.annotations?.[ROLLOUT] ?? '0');
  return Math.max(stamped, lifecycle.status?.rollout?.number ?? 0);
}

function phaseOf(facts: RolloutFacts, number: number): RolloutView['phase'] {
  const { rollout } = facts.lifecycle.status ?? {};
  if (isNotBegun(facts, number)) return 'NotBegun';
  return rollout?.phase ?? 'None';
}

/** True: the template is new, because it is neither the released one nor that of the last rollout. */
function isNotBegun({ deployment, lifecycle }: RolloutFacts, number: number): boolean {
  const { rollout, released, deploymentUID } = lifecycle.status ?? {};
  if (deploymentUID !== deployment.metadata?.uid) return true;
  if (rollout !== undefined && number > rollout.number) return true;
  const digest = templateDigest(deployment.spec?.template);
  return digest !== rollout?.digest && digest !== released?.digest;
}

function progressOf(rollout: RolloutStatus): Partial<RolloutView> {
  const { direction, fromRevision, toRevision, startedAt, phaseStartedAt } = rollout;
  const { finishedAt, reason, failure } = rollout;
  return {
    direction,
    startedAt,
    phaseStartedAt,
    ...(fromRevision === undefined ? {} : { fromRevision }),
    ...(toRevision === undefined ? {} : { toRevision }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(reason === undefined ? {} : { reason }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function isOf(number: number, stage: Stage): (run: HookRun) => boolean {
  return ({ spec }) => spec.rollout === number && spec.stage === stage;
}

function hookView({ metadata, spec, status }: HookRun): HookView {
  const { phase = 'Running', attemptCount = 0, attempts = [], ...reported } = status ?? {};
  return {
    name: metadata?.name ?? '',
    stage: spec.stage,
    phase,
    ...reported,
    attemptCount,
    attempts,
  };
}

type Known = Pick<RolloutView, 'phase' | 'hooks'>;

/** A text about the wait of a rollout; null: the rollout has ended. */
function whatItWaitsFor(known: Known, facts: RolloutFacts): string | null {
  return WAITS[known.phase]?.(known, facts) ?? null;
}

/** The phases that wait, with their texts. */
const WAITS: Partial<Record<RolloutView['phase'], (known: Known, facts: RolloutFacts) => string>> =
  {
    NotBegun: (_, facts) =>
      named(facts, 'the removal of objects of the previous rollout') ??
      'the controller to start with the new template',
    Pre: ({ hooks }) => hookWait('pre', hooks),
    Mid: ({ hooks }) => hookWait('mid', hooks),
    Post: ({ hooks }) => hookWait('post', hooks),
    Draining: (_, facts) =>
      named(facts, 'the deletion of the old pods') ?? 'the deletion of the old pods',
    Releasing: () => 'the controller to write the release',
    Progressing: (_, { deployment }) => podsWait('new', deployment),
    Restoring: (_, { deployment }) => podsWait('old', deployment),
    RollingBack: (_, { deployment }) => podsWait('old', deployment),
  };

/** The objects for which the rollout waits, as a text; null: the status of the lifecycle names none. */
function named({ lifecycle }: RolloutFacts, what: string): string | null {
  const { waitingFor } = lifecycle.status?.rollout ?? {};
  return waitingFor === undefined ? null : `${what}: ${waitingFor}`;
}

function hookWait(stage: Stage, hooks: readonly HookView[]): string {
  const hook = hooks.find((one) => one.stage === stage);
  const last = hook?.attempts.at(-1);
  if (last === undefined) return `the hook ${stage}`;
  if (last.outcome === undefined) {
    const why = last.waitsFor === undefined ? '' : `, which waits: ${last.waitsFor}`;
    return `the hook ${stage}: attempt ${last.number}, pod ${last.podName}${why}`;
  }
  if (hook?.phase !== 'Running') return `the step after the hook ${stage}`;
  return `the hook ${stage}: attempt ${last.number + 1}, after a pause`;
}

function podsWait(which: 'new' | 'old', { spec, status = {} }: RolloutFacts['deployment']): string {
  const { availableReplicas = 0, updatedReplicas = 0 } = status;
  const there = which === 'new' ? Math.min(availableReplicas, updatedReplicas) : availableReplicas;
  return `the ${which} pods: ${there} of ${spec?.replicas ?? 1} are available`;
}
