/** The kind SnapshotSchedule. Times are RFC 3339; a scheduled time has whole seconds. */
import type * as z from 'zod';

import type { KubeObject, Resource } from '../../../kube/object.ts';
import { makeResource } from '../../../kube/resources.ts';
import { API_VERSION } from '../../../model/api-version.ts';
import type {
  rehearsalSchema,
  retentionSchema,
  scheduleSpecSchema,
  activeSchema,
  lastRehearsalSchema,
  pendingSchema,
  runsSchema,
  scheduleStatusSchema,
  totalsSchema,
} from '../schema/schedule-schema.ts';

/** The kinds of runs that a schedule starts by a cron expression. */
export type RunKind = 'snapshot' | 'rehearsal';

export interface SnapshotScheduleSpec extends z.output<typeof scheduleSpecSchema> {}
export interface SnapshotScheduleStatus extends z.output<typeof scheduleStatusSchema> {}
export interface Retention extends z.output<typeof retentionSchema> {}
export interface Rehearsal extends z.output<typeof rehearsalSchema> {}
/** The progress through the times of one cron expression, and the runs that it has started. */
export interface RunsStatus extends z.output<typeof runsSchema> {}
export interface PendingRun extends z.output<typeof pendingSchema> {}
export interface ActiveRun extends z.output<typeof activeSchema> {}
export interface LastRehearsal extends z.output<typeof lastRehearsalSchema> {}
export interface ScheduleTotals extends z.output<typeof totalsSchema> {}

export interface SnapshotSchedule extends KubeObject {
  spec: SnapshotScheduleSpec;
  status?: SnapshotScheduleStatus;
}

export const snapshotSchedules: Resource<SnapshotSchedule> = makeResource({
  apiVersion: API_VERSION,
  kind: 'SnapshotSchedule',
});
