/** Derives both summaries (SNAP-R17, SNAP-R18) and the conditions of a status from its targets. Pure. */
import { findCondition, type Reported, withReported } from '../../../controller/conditions.ts';
import { type Progress, progressConditions } from '../../../controller/progress-conditions.ts';
import { cutToBytes } from '../../../kube/stored-size.ts';
import type { ContainerStatus, ExecutionHookStatus } from '../kinds.ts';
import { CONDITION_BYTES_MAX } from '../schema/limits.ts';
import type { HookFacts } from './facts.ts';
import { isUnstarted } from './kept-attempts.ts';
import { overdueTargets } from './overdue.ts';
import {
  errorOf,
  isHeld,
  isIssued,
  isOpen,
  isSettled,
  isThawed,
  isUnproven,
  postOutcome,
  preOutcome,
} from './targets.ts';

export interface SummaryFacts {
  readonly facts: HookFacts;
  readonly before: ExecutionHookStatus;
  readonly release: ExecutionHookStatus['release'];
  readonly targets: readonly ContainerStatus[];
}

export function summarize(summary: SummaryFacts): ExecutionHookStatus {
  const { facts, before, release, targets } = summary;
  const pre = before.preActionSucceed ?? preSummary(targets);
  const post = before.postActionSucceed ?? postSummary(summary);
  const status: ExecutionHookStatus = {
    ...before,
    containerExecutionHookStatuses: [...targets],
    ...(pre === undefined ? {} : { preActionSucceed: pre }),
    ...(post === undefined ? {} : { postActionSucceed: post }),
    ...(release === undefined ? {} : { release }),
  };
  const { hook, nowMs } = facts;
  const { metadata } = hook;
  return withReported(status, conditionsOf(status, facts), { metadata, nowMs });
}

/**
 * Whether all freezes succeeded; undefined until every freeze is decided, so that both readings of the proposal hold
 * (SNAP-G8).
 */
function preSummary(targets: readonly ContainerStatus[]): boolean | undefined {
  const outcomes = targets.map(preOutcome);
  if (outcomes.includes(undefined)) return undefined;
  return !outcomes.includes(false);
}

/**
 * Whether all thaws succeeded; undefined: not decided yet. Covers all targets to which a freeze may have been sent. The
 * other targets need no thaw (SNAP-G11).
 */
function postSummary({ targets, release }: SummaryFacts): boolean | undefined {
  if (release === undefined) return undefined;
  if (targets.some(({ preActionStatus }) => isOpen(preActionStatus))) return undefined;
  const issued = targets.filter(isIssued);
  const outcomes = issued.map((target) => postOutcome(target) ?? isThawed(target));
  const undecided = issued.some((target) => isHeld(target) && postOutcome(target) === undefined);
  return undecided ? undefined : !outcomes.includes(false);
}

function conditionsOf(status: ExecutionHookStatus, facts: HookFacts): ReportedCondition[] {
  const frozen = frozenCondition(status, facts);
  const thawed = thawedCondition(status, facts.nowMs);
  const failed = failedCondition(status);
  const failure = failed ?? findCondition(status.conditions ?? [], 'Failed') ?? null;
  const progress = progressOf(status, { latest: thawed ?? frozen, failure });
  const unproven = unprovenCondition(status);
  const reported = [frozen, thawed, unproven, failed, ...progressConditions(progress)];
  return reported.map((next) => next && { ...next, message: cutToBytes(next.message, MESSAGE) });
}

const MESSAGE = { bytesMax: CONDITION_BYTES_MAX, keep: 'start', marker: '…' } as const;

type ReportedCondition = Reported | null;

/**
 * The condition of the hook's progress. `latest`: the condition of the thaw, or before the release the condition of the
 * freeze.
 */
function progressOf(
  status: ExecutionHookStatus,
  { latest, failure }: { readonly latest: Reported; readonly failure: Failure | null },
): Progress {
  if (latest.reason === 'ThawUnproven') return { ...latest, verdict: 'Failed' };
  if (status.release === undefined || !isSettled({ status }))
    return { ...latest, verdict: 'InProgress' };
  return failure === null ? { ...latest, verdict: 'Current' } : { ...failure, verdict: 'Failed' };
}

function frozenCondition(status: ExecutionHookStatus, { blocked }: HookFacts): Reported {
  const type = 'Frozen';
  const { containerExecutionHookStatuses: targets = [], release } = status;
  if (release !== undefined) {
    const message = `The thaw was requested at ${release.at}: ${release.cause}.`;
    return { type, status: 'False', reason: 'Released', message };
  }
  if (status.preActionSucceed === true) {
    const message = `${targets.length} of ${targets.length} containers are frozen.`;
    return { type, status: 'True', reason: 'AllFrozen', message };
  }
  if (blocked !== null && !targets.some(isIssued)) return { type, status: 'False', ...blocked };
  // The message has no count of frozen containers, since that would change the condition with every target.
  return { type, status: 'False', reason: 'Freezing', message: 'The containers are being frozen.' };
}

function thawedCondition(status: ExecutionHookStatus, nowMs: number): ReportedCondition {
  const type = 'Thawed';
  const { release } = status;
  if (release === undefined) return null;
  if (isSettled({ status })) {
    const message = 'All its containers are thawed.';
    return { type, status: 'True', reason: 'Thawed', message };
  }
  const unproven = (status.containerExecutionHookStatuses ?? []).filter(isUnproven);
  if (unproven.length > 0) {
    const message = `It is not known whether ${namesOf(unproven)} is thawed.`;
    return { type, status: 'False', reason: 'ThawUnproven', message };
  }
  const overdue = overdueTargets(status, nowMs);
  if (overdue.length === 0) {
    const message = 'The containers are being thawed.';
    return { type, status: 'False', reason: 'Thawing', message };
  }
  const message = `${namesOf(overdue)} could not be thawed in time and may still be frozen; the thaw is retried.`;
  return { type, status: 'False', reason: 'ThawOverdue', message };
}

/** null: no target has `thawUnproven`. */
function unprovenCondition({
  containerExecutionHookStatuses: targets = [],
}: ExecutionHookStatus): ReportedCondition {
  const type = 'ThawUnproven';
  const affected = targets.filter(({ thawUnproven }) => thawUnproven !== undefined);
  if (affected.length === 0) return null;
  const unproven = affected.filter(isUnproven);
  if (unproven.length === 0) {
    const message = 'No thaw is unproven any more.';
    return { type, status: 'False', reason: 'Settled', message };
  }
  const claims = [...new Set(unproven.flatMap(({ claimNames = [] }) => claimNames))];
  const volumes = claims.length === 0 ? 'its volumes' : `the volumes of ${listed(claims)}`;
  const message = `${namesOf(unproven)}: ${unproven[0]?.thawUnproven?.reason ?? ''}, and no thaw is proven. Until it is proven or marked as done by hand, no hook freezes ${volumes}.`;
  return { type, status: 'True', reason: 'ContainerEnded', message };
}

/** The condition Failed. null: no new failure. The first failure stays, since later ones usually follow from it. */
function failedCondition(status: ExecutionHookStatus): ReportedCondition {
  if (status.conditions?.some(({ type }) => type === 'Failed') === true) return null;
  const { containerExecutionHookStatuses: targets = [], release } = status;
  const failure = failureOf(targets, release);
  return failure === null ? null : { type: 'Failed', status: 'True', ...failure };
}

interface Failure {
  readonly reason: string;
  readonly message: string;
}

function failureOf(
  targets: readonly ContainerStatus[],
  release: ExecutionHookStatus['release'],
): Failure | null {
  const unfrozen = targets.filter((target) => preOutcome(target) === false);
  // A freeze that was not sent, or never started, explains less about the cause.
  const started = unfrozen.filter(({ preActionStatus }) => !isUnstarted(preActionStatus));
  const failed = started.find(isIssued) ?? unfrozen.find(isIssued) ?? unfrozen[0];
  if (failed !== undefined) {
    const message = `${namesOf([failed])}: ${errorOf(failed.preActionStatus)}`;
    return { reason: 'PreActionFailed', message };
  }
  return lostFailure(targets, release) ?? thawFailure(targets);
}

function lostFailure(
  targets: readonly ContainerStatus[],
  release: ExecutionHookStatus['release'],
): Failure | null {
  const lost = targets.find(({ freezeLost }) => freezeLost !== undefined);
  if (lost !== undefined) {
    const message = `${namesOf([lost])} did not stay frozen: ${lost.freezeLost?.reason ?? ''}.`;
    return { reason: 'FreezeLost', message };
  }
  if (release?.cause !== 'Expired') return null;
  const message = 'The freeze lasted for expirationSeconds, and no thaw was requested.';
  return { reason: 'Expired', message };
}

function thawFailure(targets: readonly ContainerStatus[]): Failure | null {
  const stuck = targets.find((target) => postOutcome(target) === false);
  if (stuck === undefined) return null;
  const message = `${namesOf([stuck])}: ${errorOf(stuck.postActionStatus)}`;
  return { reason: 'PostActionFailed', message };
}

const NAMED_MAX = 3;

function listed(claims: readonly string[]): string {
  const more = claims.length - NAMED_MAX;
  const names = claims.slice(0, NAMED_MAX).join(', ');
  return more > 0 ? `${names}, and ${more} more` : names;
}

/** Example: "db in pod shop-0, and 4 more". */
export function namesOf(targets: readonly ContainerStatus[]): string {
  const names = targets
    .slice(0, NAMED_MAX)
    .map(({ podName, containerName }) => `${containerName} in pod ${podName}`);
  const more = targets.length - names.length;
  return more > 0 ? `${names.join(', ')}, and ${more} more` : names.join(', ');
}
