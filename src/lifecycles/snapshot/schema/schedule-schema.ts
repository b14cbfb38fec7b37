/** The schemas of the spec and the status of a SnapshotSchedule. */
import * as z from 'zod';
import {
  flag,
  object,
  seconds,
  text,
  textMap,
  count,
  describedText,
  statusList,
  time,
  conditionsSchema,
} from '../../../controller/definitions/field-schemas.ts';
import { LABEL_CHARACTERS_MAX } from '../../../controller/definitions/value-limits.ts';
import { REQUIRED_LEVELS } from '../required-level.ts';
import { rehearsalFields } from '../restore/spec-schema.ts';
import {
  ANNOTATION_CHARACTERS_MAX,
  CRON_CHARACTERS_MAX,
  HISTORY_MAX,
  JITTER_SECONDS_MAX,
  KEPT_HOURS_MAX,
  KEPT_MAX,
  STARTING_DEADLINE_SECONDS_MAX,
  ZONE_CHARACTERS_MAX,
} from './limits.ts';
import { snapshotSpecSchema } from './snapshot-schema.ts';

const kept = (description: string, min = 1, max: number = KEPT_MAX): z.ZodInt => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .meta({ description, format: 'int32' });
};

/** A good snapshot is kept if at least one of the rules keeps it (SNAP-T11). */
export const retentionSchema = object(
  'Snapshots to keep: each one that at least one field keeps. The newest ApplicationConsistent snapshot is always kept.',
  {
    keepLast: kept('Number of good snapshots to keep, the newest ones.').exactOptional(),
    keepWithinHours: kept(
      'Number of hours: the good snapshots that are at most this much older than the newest one are kept.',
      1,
      KEPT_HOURS_MAX,
    ).exactOptional(),
    keepHourly: kept(
      'Number of hours: the newest good snapshot of each hour is kept.',
    ).exactOptional(),
    keepDaily: kept(
      'Number of days: the newest good snapshot of each day is kept.',
    ).exactOptional(),
    keepWeekly: kept(
      'Number of weeks, from Monday: the newest good snapshot of each week is kept.',
    ).exactOptional(),
    keepMonthly: kept(
      'Number of months: the newest good snapshot of each month is kept.',
    ).exactOptional(),
    /** No other rule keeps these snapshots (SNAP-T13). */
    keepFailed: kept(
      'Number of snapshots to keep that failed or did not reach the required verdict, the newest ones; 3 if not given.',
      0,
    ).exactOptional(),
  },
);

const template = object('The ApplicationSnapshot to create at each scheduled time.', {
  metadata: object('Labels and annotations of each snapshot.', {
    labels: textMap('Labels of each snapshot.', LABEL_CHARACTERS_MAX).exactOptional(),
    annotations: textMap(
      'Annotations of each snapshot.',
      ANNOTATION_CHARACTERS_MAX,
    ).exactOptional(),
  }).exactOptional(),
  spec: snapshotSpecSchema,
});

const CRON =
  'Five fields of cron (minute, hour, day of the month, month, day of the week), or @hourly, @daily, @weekly, @monthly, @yearly.';

export const rehearsalSchema = object(
  'Restores the newest ApplicationConsistent snapshot into scratch claims at times of its own, and verifies the copy. Claims and pods are deleted at the end.',
  {
    schedule: text(CRON, CRON_CHARACTERS_MAX).min(1),
    timeZone: text(
      'Time zone of the rehearsals; that of the snapshots if not given.',
      ZONE_CHARACTERS_MAX,
    )
      .min(1)
      .exactOptional(),
    startingDeadlineSeconds: seconds(
      'Maximum seconds by which a rehearsal may start late; no limit if not given.',
      1,
      STARTING_DEADLINE_SECONDS_MAX,
    ).exactOptional(),
    historyLimit: kept(
      'Number of rehearsals to keep that have ended, the newest ones; 3 if not given.',
      1,
      HISTORY_MAX,
    ).exactOptional(),
    ...rehearsalFields,
  },
);

export const scheduleSpecSchema = object(
  'Times of the snapshots, their volumes and hooks, and the retention.',
  {
    schedule: text(CRON, CRON_CHARACTERS_MAX).min(1),
    timeZone: text(
      'Time zone of the schedule and of the retention, such as Europe/Berlin; UTC if not given.',
      ZONE_CHARACTERS_MAX,
    )
      .min(1)
      .exactOptional(),
    /** The delay always ends before the next scheduled time (SNAP-T4). */
    jitterSeconds: seconds(
      'Maximum delay of a start in seconds; 0 if not given. The delay depends on the schedule and the scheduled time, and a restart does not change it.',
      0,
      JITTER_SECONDS_MAX,
    ).exactOptional(),
    /** After this time, the snapshot counts as missed (SNAP-T5). */
    startingDeadlineSeconds: seconds(
      'Maximum seconds by which a snapshot may start late; no limit if not given.',
      1,
      STARTING_DEADLINE_SECONDS_MAX,
    ).exactOptional(),
    /** With Forbid, the default, a due time waits for active snapshots (SNAP-T7). */
    concurrencyPolicy: z
      .enum(['Allow', 'Forbid'])
      .describe(
        'Forbid: a snapshot waits until the one before it has ended. Allow: they may overlap. Forbid if not given.',
      )
      .exactOptional(),
    /** The scheduled times of a suspension are neither made up for nor missed (SNAP-T8). */
    suspend: flag(
      'true: no snapshot and no rehearsal starts. Active ones continue. false if not given.',
    ).exactOptional(),
    requiredVerdict: z
      .enum(REQUIRED_LEVELS)
      .describe(
        'The lowest verdict of a good snapshot; if not given ApplicationConsistent with hooks, CrashConsistent without.',
      )
      .exactOptional(),
    retention: retentionSchema,
    snapshotTemplate: template,
    /** A schedule with rehearsals starts scratch restores at separate times (SNAP-T17). */
    rehearsal: rehearsalSchema.exactOptional(),
  },
);

const run = {
  name: describedText('Name of the ApplicationSnapshot, or of the SnapshotRestore.'),
  scheduledTime: time('Time for which it is scheduled.'),
  snapshotName: describedText('Snapshot that a rehearsal restores.').exactOptional(),
};

export const pendingSchema = object('The run to create now; recorded before it is created.', {
  ...run,
  /** Identifies the object as created by this schedule (SNAP-T23). */
  token: describedText(
    'Random text that the object to be created has as an annotation.',
  ).exactOptional(),
});

export const activeSchema = object('A snapshot or rehearsal that has not ended.', {
  ...run,
  uid: describedText('UID of the object.'),
});

export const totalsSchema = object('Counts since the creation of the schedule.', {
  good: count('Number that reached the required verdict, or whose check passed.'),
  /** Snapshots that were deleted before their end count too. */
  failed: count('Number that failed, missed the required verdict, or did not pass the check.'),
  missed: count('Number of scheduled times at which none started.'),
  late: count('Number that started more than a minute late.'),
});

const runs = {
  lastScheduleTime: time(
    'Scheduled time of the last snapshot or rehearsal that was started.',
  ).exactOptional(),
  nextScheduleTime: time('Next scheduled time, without jitter.').exactOptional(),
  /** If the cron expression or the time zone changes, scheduled times before the change do not count. */
  observedSchedule: describedText('Cron expression and time zone in force.').exactOptional(),
  /** Each scheduled time is handled once (SNAP-T3). */
  handledUntil: time(
    'Latest scheduled time that is handled: its snapshot or rehearsal was started, it counts as missed, or it does not count.',
  ).exactOptional(),
  since: time(
    'Scheduled times before this one do not count: the schedule was suspended, or had another cron expression.',
  ).exactOptional(),
  /** The name of a run is recorded before the run is created (SNAP-T2). */
  pending: pendingSchema.exactOptional(),
  active: statusList(activeSchema, 'Snapshots or rehearsals that have not ended.').exactOptional(),
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
  /** Labels alone prove nothing, since other clients can write them (SNAP-T23). */
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
