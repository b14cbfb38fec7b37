/** The schema of the spec of a SnapshotSchedule. */
import * as z from 'zod';

import {
  flag,
  object,
  seconds,
  text,
  textMap,
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
  'Which snapshots of the schedule are kept: each that at least one field keeps. The last ApplicationConsistent one is always kept.',
  {
    keepLast: kept('Number of good snapshots to keep, the newest ones.').exactOptional(),
    keepWithinHours: kept(
      'Keeps the good snapshots that are at most so many hours older than the newest one.',
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
    /** SNAP-T13. */
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
      'How late a rehearsal may start; any time if not given.',
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

export const scheduleSpecSchema = object('When snapshots are taken, of what, and which are kept.', {
  schedule: text(CRON, CRON_CHARACTERS_MAX).min(1),
  timeZone: text(
    'Time zone of the schedule and of the retention, such as Europe/Berlin; UTC if not given.',
    ZONE_CHARACTERS_MAX,
  )
    .min(1)
    .exactOptional(),
  /** SNAP-T4. */
  jitterSeconds: seconds(
    'The longest delay of a start. It differs by schedule and scheduled time, and stays the same for both; 0 if not given.',
    0,
    JITTER_SECONDS_MAX,
  ).exactOptional(),
  /** SNAP-T5. */
  startingDeadlineSeconds: seconds(
    'How late a snapshot may start; any time if not given.',
    1,
    STARTING_DEADLINE_SECONDS_MAX,
  ).exactOptional(),
  /** SNAP-T7. */
  concurrencyPolicy: z
    .enum(['Allow', 'Forbid'])
    .describe(
      'Forbid: a snapshot waits until the one before it has ended. Allow: they may overlap. Forbid if not given.',
    )
    .exactOptional(),
  /** SNAP-T8. */
  suspend: flag(
    'true: no snapshot and no rehearsal starts. What is active goes on. false if not given.',
  ).exactOptional(),
  requiredVerdict: z
    .enum(REQUIRED_LEVELS)
    .describe(
      'The lowest verdict of a good snapshot; if not given ApplicationConsistent with hooks, CrashConsistent without.',
    )
    .exactOptional(),
  retention: retentionSchema,
  snapshotTemplate: template,
  /** SNAP-T17. */
  rehearsal: rehearsalSchema.exactOptional(),
});
