/**
 * The Events and observations for a change of a hook's status. Pure.
 *
 * They are emitted after the write of the status. Those of a freeze are emitted only if its record was stored. Those of
 * a thaw are emitted even if the server refuses the record, since the thaw runs anyway.
 */
import type { Note } from '../../../controller/event-correlator.ts';
import { countText } from '../../../model/count-text.ts';
import type { ActionStatus, ContainerStatus, ExecutionHookStatus, ReleaseCause } from '../kinds.ts';
import type { SnapshotEvent, TargetName } from '../snapshot-event.ts';
import { overdueTargets } from './overdue.ts';
import { namesOf } from './summarize.ts';
import {
  errorOf,
  frozenSinceMs,
  isOverdue,
  isSettled,
  postOutcome,
  preOutcome,
  timeOf,
} from './targets.ts';

export interface StatusChange {
  readonly namespace: string;
  readonly hook: string;
  /** UID of the hook. */
  readonly uid: string;
  readonly before: ExecutionHookStatus;
  readonly after: ExecutionHookStatus;
  readonly nowMs: number;
}

export type HookNote = Omit<Note, 'about'>;

export function notesOf({ before, after }: StatusChange): HookNote[] {
  const { containerExecutionHookStatuses: targets = [] } = after;
  const notes: HookNote[] = [];
  if (before.preActionSucceed === undefined && after.preActionSucceed === true) {
    const message = `Froze ${countText(targets.length, 'container')}.`;
    notes.push({ type: 'Normal', reason: 'PreActionSucceeded', message });
  }
  notes.push(...changesOf(before, after).flatMap(targetNotes));
  if (before.release === undefined && after.release !== undefined) {
    notes.push(releaseNote(after.release.cause, targets));
  }
  if (!isSettled({ status: before }) && isSettled({ status: after })) {
    const message = 'All its containers are thawed.';
    notes.push({ type: 'Normal', reason: 'Thawed', message });
  }
  return notes;
}

interface TargetChange {
  readonly was: ContainerStatus | null;
  readonly is: ContainerStatus;
}

function targetNotes({ was, is }: TargetChange): HookNote[] {
  const notes: HookNote[] = [];
  const warn = (reason: string, message: string): void => {
    notes.push({ type: 'Warning', reason, message: `${namesOf([is])}: ${message}` });
  };
  if (isNew(false, preOutcome, { was, is })) warn('PreActionFailed', errorOf(is.preActionStatus));
  if (isNew(false, postOutcome, { was, is }))
    warn('PostActionFailed', errorOf(is.postActionStatus));
  const unproven = newlyUnproven({ was, is });
  if (unproven !== null) {
    warn('ThawUnproven', `${unproven}, and no thaw is proven: its volume may still be frozen`);
  }
  if (is.thawedBy === 'gone' && was?.thawedBy !== 'gone') warn('TargetGone', whyLost(is));
  return notes;
}

function whyLost({ freezeLost, preActionStatus }: ContainerStatus): string {
  return freezeLost?.reason ?? (errorOf(preActionStatus) || 'it is deleted');
}

/** The reason why a thaw is not proven, if it is new; null: there is no new reason. */
function newlyUnproven({ was, is }: TargetChange): string | null {
  return was?.thawUnproven === undefined ? (is.thawUnproven?.reason ?? null) : null;
}

/** Whether the target has this outcome now and had no outcome before. */
function isNew(
  value: boolean,
  outcome: (target: ContainerStatus) => boolean | undefined,
  { was, is }: TargetChange,
): boolean {
  return outcome(is) === value && (was === null || outcome(was) === undefined);
}

function releaseNote(cause: ReleaseCause, targets: readonly ContainerStatus[]): HookNote {
  switch (cause) {
    case 'Expired': {
      const message = 'The freeze has lasted for expirationSeconds: the thaw begins by itself.';
      return { type: 'Warning', reason: 'Expired', message };
    }
    case 'Broken': {
      const lost = targets.filter(({ freezeLost }) => freezeLost !== undefined);
      const why = lost[0]?.freezeLost?.reason ?? '';
      const message = `${namesOf(lost)} did not stay frozen (${why}): the thaw begins.`;
      return { type: 'Warning', reason: 'FreezeLost', message };
    }
    case 'Deleted':
    case 'PreFailed':
    case 'Cut':
    case 'Human':
      return { type: 'Normal', reason: 'Released', message: `The thaw begins: ${cause}.` };
    default:
      return cause satisfies never;
  }
}

export function eventsOf(reported: StatusChange): SnapshotEvent[] {
  const { namespace, hook, before, after } = reported;
  const events = changesOf(before, after).flatMap((change) => targetEvents(change, reported));
  if (before.release === undefined && after.release !== undefined) {
    events.push({ type: 'Released', namespace, hook, cause: after.release.cause });
  }
  if (!isLate(before) && isLate(after)) events.push(...lateEvents(reported));
  if (!isSettled({ status: before }) && isSettled({ status: after })) {
    const firstMs = frozenSinceMs(after.containerExecutionHookStatuses ?? []) ?? reported.nowMs;
    const settled = { namespace, hook, sinceMs: Math.max(0, reported.nowMs - firstMs) };
    events.push({ type: 'Settled', ...settled });
  }
  return events;
}

function isLate({ conditions = [] }: ExecutionHookStatus): boolean {
  return conditions.some(({ type, reason }) => type === 'Thawed' && reason === 'ThawOverdue');
}

/** Events for thaws that are overdue because their time has passed, and not because they failed. */
function lateEvents({ namespace, hook, uid, after, nowMs }: StatusChange): SnapshotEvent[] {
  const late = overdueTargets(after, nowMs).filter((target) => !isOverdue(target));
  const [releasedMs = nowMs] = timeOf(after.release?.at);
  return late.map(({ podName: pod, containerName: container }) => ({
    type: 'ThawOverdue',
    target: { namespace, hook, pod, container },
    uid,
    sinceMs: Math.max(0, nowMs - releasedMs),
  }));
}

function targetEvents({ was, is }: TargetChange, reported: StatusChange): SnapshotEvent[] {
  const { namespace, hook, uid, nowMs } = reported;
  const events: SnapshotEvent[] = [];
  const target: TargetName = { namespace, hook, pod: is.podName, container: is.containerName };
  if (isNew(true, preOutcome, { was, is })) {
    events.push({ type: 'Frozen', target });
  }
  const { thawedBy: by } = is;
  if (by !== undefined && by !== was?.thawedBy) {
    const frozenMs = sinceMs(is.preActionStatus, nowMs);
    events.push({ type: 'Thawed', target, uid, by, frozenMs });
  }
  const unproven = newlyUnproven({ was, is });
  if (unproven !== null) events.push({ type: 'ThawUnproven', target, uid, reason: unproven });
  if (hasFailedAgain({ was, is })) {
    const overdueMs = sinceMs(is.postActionStatus, nowMs);
    events.push({ type: 'ThawOverdue', target, uid, sinceMs: overdueMs });
  }
  return events;
}

/** Whether the target's thaw has just become overdue, or has failed once more. */
function hasFailedAgain({ was, is }: TargetChange): boolean {
  return isOverdue(is) && (was === null || !isOverdue(was) || slowTries(is) > slowTries(was));
}

function sinceMs(status: ActionStatus | undefined, nowMs: number): number {
  const [atMs = nowMs] = timeOf(status?.actionTimestamp);
  return Math.max(0, nowMs - atMs);
}

function slowTries({ postActionStatus }: ContainerStatus): number {
  return postActionStatus?.slowAttempts ?? 0;
}

function changesOf(
  { containerExecutionHookStatuses: before = [] }: ExecutionHookStatus,
  { containerExecutionHookStatuses: after = [] }: ExecutionHookStatus,
): TargetChange[] {
  return after.flatMap((is, index) => {
    const was = before[index] ?? null;
    return was === is ? [] : [{ was, is }];
  });
}
