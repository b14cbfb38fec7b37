/** Decides which events of this lifecycle are sent out of the cluster, and with which text. Pure. */
import type { Notification } from '../../model/event.ts';
import type { RestoreEnded, ScheduleEvent, SnapshotEvent } from './snapshot-event.ts';

/** null: the event is for logs, metrics and traces only. */
export function notificationOf(event: SnapshotEvent): Notification | null {
  if (isThaw(event)) return ofThaw(event);
  if (event.type === 'RestoreEnded') return event.isScheduled ? null : ofRestore(event);
  if (isOfSchedule(event)) return ofSchedule(event);
  return isEnd(event) ? ofEnd(event) : null;
}

type ThawEvent = Extract<SnapshotEvent, { type: 'ThawOverdue' | 'ThawUnproven' | 'Thawed' }>;

function isThaw(event: SnapshotEvent): event is ThawEvent {
  return ['ThawOverdue', 'ThawUnproven', 'Thawed'].includes(event.type);
}

/**
 * The notification about a thaw. A hook freezes a container at most once: its UID and the container identify the thaw.
 */
function ofThaw(event: ThawEvent): Notification {
  const { namespace, hook, pod, container } = event.target;
  const problem = `thaw/${event.uid}/${pod}/${container}`;
  const what = `container ${container} of pod ${namespace}/${pod} (ExecutionHook ${hook})`;
  if (event.type === 'Thawed') {
    const message = `The ${what} is thawed.`;
    return { id: `${problem}/done`, type: 'thaw.done', problem, state: 'clear', message };
  }
  if (event.type === 'ThawOverdue') {
    const message = `The thaw of ${what} is overdue: the application may still be frozen. Run \`lifehook snapshot thaw ${hook} -n ${namespace}\`.`;
    return { id: `${problem}/overdue`, type: 'thaw.overdue', problem, state: 'open', message };
  }
  const message = `No thaw of ${what} is proven: ${event.reason}. Its volume may still be frozen in the kernel of the node. Thaw it by hand if it is frozen, then run \`lifehook snapshot release ${hook} -n ${namespace} --by YOU\`.`;
  return { id: `${problem}/unproven`, type: 'thaw.unproven', problem, state: 'open', message };
}

type EndEvent = Extract<SnapshotEvent, { type: 'Verdict' | 'FailedBeforeCut' }>;

function isEnd(event: SnapshotEvent): event is EndEvent {
  return event.type === 'Verdict' || event.type === 'FailedBeforeCut';
}

/**
 * The notification about the end of a snapshot. A later snapshot with the same `spec.source` and a sufficient verdict
 * clears the problem.
 */
function ofEnd(event: EndEvent): Notification {
  const { namespace, snapshot, uid, series, reason } = event;
  const problem = `snapshot/${namespace}/${series}`;
  const what = `Snapshot ${namespace}/${snapshot}`;
  if (event.type === 'FailedBeforeCut') {
    const message = `${what} failed before the cut (${reason}): ${event.message}`;
    return { id: `${uid}/failed`, type: 'run.failed', problem, state: 'open', message };
  }
  const { value, required, isReached } = event;
  const verdict = `the verdict ${value} (${reason})`;
  if (isReached) {
    const message = `${what} has ${verdict}, as required.`;
    return { id: `${uid}/verdict`, type: 'verdict.reached', problem, state: 'clear', message };
  }
  const message = `${what} has ${verdict}, below the required ${required}: ${event.message}`;
  return { id: `${uid}/verdict`, type: 'verdict.missed', problem, state: 'open', message };
}

/**
 * The notification about the end of a restore. The next restore of the same series that completes clears the problem.
 */
function ofRestore(event: RestoreEnded): Notification {
  const { namespace, restore, uid, series, outcome, reason } = event;
  const problem = `restore/${namespace}/${series}`;
  const what = `Restore ${namespace}/${restore}`;
  if (outcome === 'Completed') {
    const message = `${what} is complete.`;
    return { id: `${uid}/completed`, type: 'run.recovered', problem, state: 'clear', message };
  }
  const message = `${what} failed (${reason}): ${event.message}`;
  return { id: `${uid}/failed`, type: 'run.failed', problem, state: 'open', message };
}

function isOfSchedule(event: SnapshotEvent): event is ScheduleEvent {
  return ['ScheduleOverdue', 'ScheduleGood', 'RehearsalEnded'].includes(event.type);
}

/** The next good snapshot clears an overdue schedule. The next rehearsal that passes clears a failed one. */
function ofSchedule(event: ScheduleEvent): Notification {
  const { namespace, schedule, uid } = event;
  const what = `SnapshotSchedule ${namespace}/${schedule}`;
  const next = `Run \`kubectl describe snapshotschedule ${schedule} -n ${namespace}\`.`;
  if (event.type === 'RehearsalEnded') return ofRehearsal(event, what, next);
  const problem = `schedule/${namespace}/${schedule}`;
  if (event.type === 'ScheduleGood') {
    const message = `${what} has a good snapshot again, of ${event.at}.`;
    return { id: null, type: 'schedule.recovered', problem, state: 'clear', message };
  }
  const id = `${uid}/overdue/${event.since}`;
  const message = `${what} is overdue: ${event.message} ${next}`;
  return { id, type: 'schedule.overdue', problem, state: 'open', message };
}

function ofRehearsal(
  event: Extract<ScheduleEvent, { type: 'RehearsalEnded' }>,
  what: string,
  next: string,
): Notification {
  const { namespace, schedule, uid, result, scheduledTime } = event;
  const problem = `rehearsal/${namespace}/${schedule}`;
  const id = `${uid}/rehearsal/${scheduledTime}/${result}`;
  if (result === 'Passed') {
    const message = `The rehearsal of ${what} of ${scheduledTime} passed.`;
    return { id, type: 'rehearsal.passed', problem, state: 'clear', message };
  }
  // The message of a failed restore is a sentence with its full stop; other messages have none.
  const why = /[.!?]$/.test(event.message) ? event.message : `${event.message}.`;
  const message = `The rehearsal of ${what} of ${scheduledTime} did not pass (${result}): ${why} ${next}`;
  return { id, type: 'rehearsal.failed', problem, state: 'open', message };
}
