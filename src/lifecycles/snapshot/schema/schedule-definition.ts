/**
 * The custom resource definition of SnapshotSchedule. Its rules are those of `check-schedule.ts` that CEL can express.
 */
import { type DefinedKind, type RulesByPlace } from '../../../controller/definitions/definition.ts';
import type { Rule } from '../../../controller/definitions/structural-schema.ts';
import { specAndStatus } from '../../../controller/definitions/structural-schema.ts';
import { rehearsalRules } from '../restore/definition.ts';
import { SCHEDULE_NAME_CHARACTERS_MAX } from './limits.ts';
import { scheduleSpecSchema, scheduleStatusSchema } from './schedule-schema.ts';
import { snapshotRules } from './validation-rules.ts';

const UNCHANGED = 'self == oldSelf';

/** The rules of the template: those of the spec of a snapshot, except that the template may change. */
function templateRules(): RulesByPlace {
  const rules = Object.entries(snapshotRules).map(([place, all]): [string, readonly Rule[]] => [
    `spec.snapshotTemplate.${place}`,
    all.filter(({ rule }) => rule !== UNCHANGED),
  ]);
  return Object.fromEntries(rules);
}

const CRON: readonly Rule[] = [
  {
    rule: "self.matches('^(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|[^ ]+( +[^ ]+){4})$')",
    message:
      'must be five fields of cron separated by spaces, such as "0 3 * * *" for 3:00 each day, or @hourly, @daily, @weekly, @monthly, @yearly',
  },
];

const ZONE: readonly Rule[] = [
  {
    rule: "self.matches('^[A-Za-z]') && self != 'Local'",
    message: 'must be the name of a time zone, such as Europe/Berlin or UTC',
  },
];

const scheduleRules: RulesByPlace = {
  '': [
    {
      rule: `self.metadata.name.size() <= ${SCHEDULE_NAME_CHARACTERS_MAX}`,
      message: `the name of a schedule has at most ${SCHEDULE_NAME_CHARACTERS_MAX} characters, like that of a CronJob: the names of its snapshots add the time to it`,
    },
  ],
  'spec.schedule': CRON,
  'spec.timeZone': ZONE,
  'spec.rehearsal.schedule': CRON,
  'spec.rehearsal.timeZone': ZONE,
  ...rehearsalRules,
  'spec.retention': [
    {
      rule: 'has(self.keepLast) || has(self.keepWithinHours) || has(self.keepHourly) || has(self.keepDaily) || has(self.keepWeekly) || has(self.keepMonthly)',
      message:
        'say which snapshots are kept: give at least one of keepLast, keepWithinHours, keepHourly, keepDaily, keepWeekly and keepMonthly',
    },
  ],
  ...templateRules(),
};

export const scheduleKind: DefinedKind = {
  kind: 'SnapshotSchedule',
  shortName: 'snapsched',
  description:
    'Takes application snapshots at scheduled times, deletes those that its retention does not keep, and rehearses their restore.',
  ...specAndStatus(scheduleSpecSchema, scheduleStatusSchema),
  rules: scheduleRules,
  columns: [
    ['Schedule', 'string', '.spec.schedule'],
    ['Time-Zone', 'string', '.spec.timeZone'],
    ['Suspend', 'boolean', '.spec.suspend'],
    ['Active', 'string', '.status.active[0].name', 'Oldest snapshot that has not ended.'],
    ['Last-Schedule', 'date', '.status.lastScheduleTime'],
    [
      'Last-Good',
      'date',
      '.status.lastSuccessfulTime',
      'Time of the cut of the last good snapshot.',
    ],
    [
      'Last-Rehearsed',
      'date',
      '.status.lastSuccessfulRehearsalTime',
      'Time of the last rehearsal whose check passed.',
    ],
  ],
};
