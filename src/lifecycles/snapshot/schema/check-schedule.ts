/** The rules for a SnapshotSchedule (SNAP-T1). */
import { checkLabelKey, checkLabels } from '../../../controller/definitions/check-names.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { ObjectMeta } from '../../../kube/object.ts';
import { BEGUN_UID, REQUIRED_LEVEL } from '../names.ts';
import { REQUIRED_LEVELS } from '../required-level.ts';
import { checkRestoreSpec, NO_CHECK } from '../restore/check-spec.ts';
import { type CronText, whyWrongCron, whyWrongZone } from '../schedule/cron.ts';
import type { Rehearsal, SnapshotScheduleSpec } from '../schedule/kinds.ts';
import { restoreSpecOf } from '../schedule/made-runs.ts';
import type { ResolveRecipe } from './check-recipe.ts';
import { checkSnapshotSpec } from './check-snapshot.ts';
import { SCHEDULE_NAME_CHARACTERS_MAX } from './limits.ts';
import { snapshotWarnings } from './warnings.ts';

const TEMPLATE = 'spec.snapshotTemplate';
const REHEARSAL = 'spec.rehearsal';
const NO_WINDOW =
  'a schedule takes snapshots, and a window of a guard takes none: remove this field';

export function checkScheduleSpec(
  spec: SnapshotScheduleSpec,
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  const { retention, snapshotTemplate: template, rehearsal } = spec;
  return [
    ...checkTimes('spec', spec),
    ...checkRetention(retention),
    ...checkMetadata(template.metadata ?? {}),
    ...checkSnapshotSpec(template.spec, resolveRecipe).map(within(TEMPLATE)),
    ...(template.spec.window === undefined
      ? []
      : [forbidden(`${TEMPLATE}.spec.window`, NO_WINDOW)]),
    ...(rehearsal === undefined ? [] : checkRehearsal(rehearsal, resolveRecipe)),
  ];
}

function checkTimes(field: string, { schedule, timeZone }: CronText): FieldProblem[] {
  const wrongCron = whyWrongCron(schedule);
  const wrongZone = timeZone === undefined ? null : whyWrongZone(timeZone);
  return [
    ...(wrongCron === null ? [] : [invalid(`${field}.schedule`, schedule, wrongCron)]),
    ...(wrongZone === null ? [] : [invalid(`${field}.timeZone`, timeZone, wrongZone)]),
  ];
}

/** A rehearsal is a restore, so the rules of restores apply (SNAP-T17). */
function checkRehearsal(rehearsal: Rehearsal, resolveRecipe: ResolveRecipe): FieldProblem[] {
  const restore = restoreSpecOf(rehearsal, 'snapshot');
  return [
    ...checkTimes(REHEARSAL, rehearsal),
    ...(rehearsal.verify.length > 0 ? [] : [required(`${REHEARSAL}.verify`, NO_CHECK)]),
    ...checkRestoreSpec(restore, resolveRecipe).map(({ field, ...problem }) => ({
      ...problem,
      field: field.replace(/^spec/, REHEARSAL),
    })),
  ];
}

export function checkScheduleName({ name = '' }: ObjectMeta): FieldProblem[] {
  if (name.length <= SCHEDULE_NAME_CHARACTERS_MAX) return [];
  const detail = `must have at most ${SCHEDULE_NAME_CHARACTERS_MAX} characters, like that of a CronJob: the names of its snapshots add the time to it`;
  return [invalid('metadata.name', name, detail)];
}

export function scheduleWarnings(spec: SnapshotScheduleSpec): string[] {
  const { retention, snapshotTemplate, rehearsal } = spec;
  const hasNoHook = snapshotTemplate.spec.executionHookInfos?.length === 0;
  const { keepWithinHours, keepFailed: _, ...counted } = retention;
  const isByAgeAlone = keepWithinHours !== undefined && Object.keys(counted).length === 0;
  return [
    ...(isByAgeAlone
      ? [
          'spec.retention.keepWithinHours: it is the only rule, so if the clock is set ahead by this time, all snapshots but the newest are deleted: add keepLast',
        ]
      : []),
    ...(rehearsal !== undefined && hasNoHook
      ? [
          'spec.rehearsal: it restores only ApplicationConsistent snapshots, and without a hook the template creates none: add executionHookInfos',
        ]
      : []),
    ...snapshotWarnings(snapshotTemplate.spec).map((text) =>
      text.replace(/^spec/, `${TEMPLATE}.spec`),
    ),
  ];
}

function checkRetention(retention: SnapshotScheduleSpec['retention']): FieldProblem[] {
  if (Object.keys(retention).some((rule) => rule !== 'keepFailed')) return [];
  const detail =
    'say which snapshots are kept: give at least one of keepLast, keepWithinHours, keepHourly, keepDaily, keepWeekly and keepMonthly';
  return [required('spec.retention', detail)];
}

function checkMetadata({
  labels = {},
  annotations = {},
}: NonNullable<SnapshotScheduleSpec['snapshotTemplate']['metadata']>): FieldProblem[] {
  const at = `${TEMPLATE}.metadata`;
  const level = annotations[REQUIRED_LEVEL];
  const isKnown = level === undefined || REQUIRED_LEVELS.some((known) => known === level);
  return [
    ...checkLabels(`${at}.labels`, labels),
    ...Object.keys(annotations).flatMap((key) => checkLabelKey(`${at}.annotations`, key)),
    // Refused: a template copied from a snapshot may have this annotation, and each snapshot created from it would fail
    // as a copy.
    ...(annotations[BEGUN_UID] === undefined
      ? []
      : [forbidden(`${at}.annotations[${BEGUN_UID}]`, 'a controller sets it: remove it')]),
    ...(isKnown
      ? []
      : [
          invalid(
            `${at}.annotations[${REQUIRED_LEVEL}]`,
            level,
            `must be one of ${REQUIRED_LEVELS.join(', ')}; better set spec.requiredVerdict instead`,
          ),
        ]),
  ];
}

/** Moves the field of a problem under `place`. */
function within(place: string): (problem: FieldProblem) => FieldProblem {
  return (problem) => ({ ...problem, field: `${place}.${problem.field}` });
}
