/** Records the ends of attempts in the status. An end is recorded once and never changes (SNAP-I6). Pure. */
import { microTimeText } from '../../../controller/kube-time.ts';
import type { ActionAttempt, ActionStatus, ContainerStatus } from '../kinds.ts';
import type { AttemptReport } from './attempts.ts';
import type { TargetFacts } from './facts.ts';
import { isUnstarted, keepAttempts, keepOutputs } from './kept-attempts.ts';
import { shortReason } from './kept-output.ts';
import { isOpen } from './targets.ts';

/** Returns the target with the outcome of its open attempt, if that outcome is known now. */
export function settleAttempts(
  target: ContainerStatus,
  { open, life }: TargetFacts,
  { nowMs, outlives }: { readonly nowMs: number; readonly outlives: boolean },
): ContainerStatus {
  if (open === null) return target;
  // If the lock outlives its container, only the end of the attempt proves the thaw. The attempt's timeout bounds the
  // wait.
  if (outlives && open.kind === 'underWay') return target;
  const report = open.kind === 'ended' ? open.report : unseenReport(open.kind, life, nowMs);
  if (report === null) return target;
  const { preActionStatus: pre, postActionStatus: post } = target;
  if (post !== undefined && isOpen(post)) return settleThaw(target, post, report);
  return pre !== undefined && isOpen(pre) ? settleFreeze(target, pre, report) : target;
}

/**
 * Records that a freeze which this process recorded, but did not start, will not be started: nothing is frozen after
 * the release. `message`: the reason.
 */
export function withholdFreeze(
  target: ContainerStatus,
  { open }: Pick<TargetFacts, 'open'>,
  { nowMs, message }: { readonly nowMs: number; readonly message: string },
): ContainerStatus {
  const { preActionStatus: pre } = target;
  if (open?.kind !== 'intended' || pre === undefined || !isOpen(pre)) return target;
  const report = { endedAtMs: nowMs, exitCode: null, reason: message, output: '', probes: [] };
  return settleFreeze(target, pre, { ...report, outcome: 'Failed', notStarted: 'Unreached' });
}

function unseenReport(
  kind: 'underWay' | 'intended' | 'unseen',
  life: TargetFacts['life'],
  nowMs: number,
): AttemptReport | null {
  // An attempt in a container that has ended for good may never report its end, so it is not waited for.
  if (life.kind === 'gone') return unseen(`Its outcome was not observed: ${life.reason}.`, nowMs);
  if (kind !== 'unseen') return null;
  return unseen('Its outcome was not observed: the controller that started it has stopped.', nowMs);
}

function unseen(reason: string, endedAtMs: number): AttemptReport {
  return { endedAtMs, outcome: 'Unknown', exitCode: null, reason, output: '', probes: [] };
}

function settleFreeze(
  target: ContainerStatus,
  pre: ActionStatus,
  report: AttemptReport,
): ContainerStatus {
  const { holder } = report;
  const asked = withProbes(target, report);
  const settled = { ...asked, preActionStatus: withEnd(pre, report) };
  return holder === undefined ? settled : { ...settled, holder };
}

function settleThaw(
  target: ContainerStatus,
  post: ActionStatus,
  report: AttemptReport,
): ContainerStatus {
  const asked = withProbes(target, report);
  const ended = withEnd(post, report);
  if (report.outcome !== 'Succeeded') return { ...asked, postActionStatus: ended };
  // A failed thaw stays failed, even if a later attempt succeeds (SNAP-I6).
  const { actionSucceed = true } = post;
  const { thawedBy = 'post' } = report;
  return { ...asked, postActionStatus: { ...ended, actionSucceed }, thawedBy };
}

function withProbes(target: ContainerStatus, { probes }: AttemptReport): ContainerStatus {
  return probes.length === 0
    ? target
    : { ...target, probes: [...(target.probes ?? []), ...probes] };
}

function withEnd(status: ActionStatus, report: AttemptReport): ActionStatus {
  const { outcome, exitCode, output, notStarted } = report;
  const reason = shortReason(report.reason);
  const endedAt = microTimeText(report.endedAtMs);
  const before = status.attempts ?? [];
  const started = before.at(-1)?.startedAt ?? endedAt;
  const attempt: ActionAttempt = {
    startedAt: started,
    endedAt,
    outcome,
    reason,
    ...(notStarted === undefined ? {} : { notStarted }),
    ...(exitCode === null ? {} : { exitCode }),
    ...(output === '' ? {} : { output }),
  };
  const attempts = keepOutputs([...before.slice(0, -1), attempt]);
  const ended = { ...status, attempts };
  const counted = notStarted === undefined ? ended : withUnstarted(ended);
  if (outcome === 'Succeeded' || isHidden(counted, notStarted)) return counted;
  return { ...counted, error: { time: endedAt, message: reason } };
}

function withUnstarted(status: ActionStatus): ActionStatus {
  return { ...status, unstartedAttempts: (status.unstartedAttempts ?? 0) + 1 };
}

/**
 * Whether an earlier error of a started attempt stays in the status: it explains more than the error of an attempt that
 * was not started.
 */
function isHidden(status: ActionStatus, notStarted: AttemptReport['notStarted']): boolean {
  return notStarted !== undefined && status.error !== undefined && !isUnstarted(status);
}

/** Adds the intent of one more attempt. */
export function withIntent(status: ActionStatus | undefined, nowMs: number): ActionStatus {
  const startedAt = microTimeText(nowMs);
  const attempts = [...(status?.attempts ?? []), { startedAt }];
  return keepAttempts({ actionTimestamp: startedAt, ...status, attempts });
}
