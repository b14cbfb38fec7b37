/** The events that the status of a schedule still shows, equal to those that were emitted when it was written. Pure. */
import { findCondition } from '../../../controller/conditions.ts';
import { identify } from '../app/identify.ts';
import type { ScheduleEvent } from '../snapshot-event.ts';
import type { SnapshotSchedule } from './kinds.ts';
import { GOOD_SNAPSHOT, OVERDUE } from './overdue.ts';

export interface RecordedScheduleEvent {
  readonly event: ScheduleEvent;
  /** Milliseconds since the epoch, by the wall clock. */
  readonly atMs: number;
  /** Whether the event reports a problem that still persists. */
  readonly isOpen: boolean;
}

export function scheduleEvents(schedule: SnapshotSchedule): readonly RecordedScheduleEvent[] {
  return [...ofSnapshots(schedule), ...ofRehearsals(schedule)];
}

function ofSnapshots(schedule: SnapshotSchedule): readonly RecordedScheduleEvent[] {
  const { conditions = [], lastSuccessfulTime: at = '' } = schedule.status ?? {};
  const overdue = findCondition(conditions, OVERDUE);
  if (overdue === undefined) return [];
  const { status, reason, message, lastTransitionTime: since } = overdue;
  if (status === 'True') {
    const event = { type: 'ScheduleOverdue', ...aboutOf(schedule), since, message } as const;
    return [{ event, atMs: Date.parse(since), isOpen: true }];
  }
  // Only a good snapshot proves that the schedule is not overdue any more; a suspension does not.
  if (reason !== GOOD_SNAPSHOT) return [];
  const event = { type: 'ScheduleGood', ...aboutOf(schedule), at } as const;
  return [{ event, atMs: Date.parse(at), isOpen: false }];
}

function ofRehearsals(schedule: SnapshotSchedule): readonly RecordedScheduleEvent[] {
  const { lastRehearsal } = schedule.status ?? {};
  if (lastRehearsal === undefined) return [];
  const { scheduledTime, result, message, restoredAt = scheduledTime } = lastRehearsal;
  const about = { ...aboutOf(schedule), scheduledTime, result, message };
  const event = { type: 'RehearsalEnded', ...about } as const;
  return [{ event, atMs: Date.parse(restoredAt), isOpen: result !== 'Passed' }];
}

function aboutOf(
  schedule: SnapshotSchedule,
): Pick<ScheduleEvent, 'namespace' | 'schedule' | 'uid'> {
  const { namespace, name, uid } = identify(schedule);
  return { namespace, schedule: name, uid };
}
