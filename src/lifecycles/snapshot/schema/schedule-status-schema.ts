/** The schema of the status of a SnapshotSchedule. */
import * as z from 'zod';

import { conditionsSchema } from '../../../controller/definitions/condition-schema.ts';
import {
  count,
  describedText,
  object,
  statusList,
  time,
} from '../../../controller/definitions/field-schemas.ts';

const run = {
  name: describedText('Name of the ApplicationSnapshot, or of the SnapshotRestore.'),
  scheduledTime: time('Time for which it is scheduled.'),
  snapshotName: describedText('Snapshot that a rehearsal restores.').exactOptional(),
};

export const pendingSchema = object('What is to be created now; recorded before it is created.', {
  ...run,
  /** SNAP-T23. */
  token: describedText(
    'Random text that the object to be created has as an annotation.',
  ).exactOptional(),
});

export const activeSchema = object('One that has not ended.', {
  ...run,
  uid: describedText('UID of the object.'),
});

export const totalsSchema = object('Numbers since the creation of the schedule.', {
  good: count('Those that reached the required verdict, or whose check passed.'),
  /** Also those that were deleted before their end. */
  failed: count('Those that failed, or were not good enough.'),
  missed: count('Scheduled times at which none started.'),
  late: count('Those that started more than a minute late.'),
});

const runs = {
  lastScheduleTime: time('Scheduled time of the last one that was started.').exactOptional(),
  nextScheduleTime: time('Next scheduled time, without jitter.').exactOptional(),
  /** Times before a change of them do not count afterwards. */
  observedSchedule: describedText('Cron expression and time zone in force.').exactOptional(),
  /** Each was started, was missed, or was not due (SNAP-T3). */
  handledUntil: time('Time until which every scheduled time was handled.').exactOptional(),
  since: time(
    'Times before it do not count: the schedule was suspended, or had another cron expression.',
  ).exactOptional(),
  /** SNAP-T2. */
  pending: pendingSchema.exactOptional(),
  active: statusList(activeSchema, 'Those that have not ended.').exactOptional(),
  totals: totalsSchema.exactOptional(),
};

export const runsSchema = object('State of the rehearsals.', runs);

export const lastRehearsalSchema = object('Last rehearsal that ended, or could not run.', {
  scheduledTime: time('Time for which it was scheduled.'),
  name: describedText('Name of the SnapshotRestore; absent: it did not run.').exactOptional(),
  snapshotName: describedText('Snapshot that was restored.').exactOptional(),
  restoredAt: time('Time of the result.').exactOptional(),
  result: z
    .enum(['Passed', 'Failed', 'Unknown', 'NotRun'])
    .describe('Result of its check. NotRun: it could not start.'),
  message: describedText('Human-readable message.'),
});

export const scheduleStatusSchema = object('Observed state of the schedule.', {
  observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
  ...runs,
  lastSuccessfulTime: time('Time of the cut of the last good snapshot.').exactOptional(),
  lastSuccessfulSnapshotName: describedText('Name of the last good snapshot.').exactOptional(),
  /** SNAP-T23. */
  snapshotUIDs: statusList(
    describedText('A UID.'),
    'UIDs of the snapshots that this schedule created: the retention counts and deletes no others.',
  ).exactOptional(),
  rehearsal: runsSchema.exactOptional(),
  lastRehearsal: lastRehearsalSchema.exactOptional(),
  lastSuccessfulRehearsalTime: time(
    'Time of the result of the last rehearsal that passed.',
  ).exactOptional(),
  conditions: conditionsSchema.exactOptional(),
});
