/** The context of every step, and the ways in which a step reports its work. */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Failure } from '../app/failure.ts';
import type { SnapshotContext } from '../context.ts';
import type { ScheduleCaches } from './caches.ts';
import { withSummary } from './conditions-of.ts';
import type { Reported } from '../../../controller/conditions.ts';
import type { ScheduleFacts } from './facts.ts';
import { type SnapshotScheduleStatus, snapshotSchedules } from './kinds.ts';
import { scheduleEvents } from './schedule-events.ts';

export interface Acting {
  readonly context: SnapshotContext;
  readonly caches: ScheduleCaches;
  /** Refuses to write once this process no longer leads. */
  readonly client: KubeClient;
  readonly facts: ScheduleFacts;
}

/**
 * Writes the complete status, guarded by the version that was read, so that two controllers never count one run twice.
 * Emits the events that are new in the status.
 */
export async function writeStatus(
  acting: Acting,
  status: SnapshotScheduleStatus,
  reported: readonly Reported[] = [],
): Promise<void> {
  const { client, caches, context, facts } = acting;
  const object = facts.schedule;
  const written = await writeStatusIfChanged({
    client,
    resource: snapshotSchedules,
    object,
    status: withSummary(facts, status, reported),
  });
  caches.writtenSchedules.remember(written);
  const before = scheduleEvents(object);
  for (const each of scheduleEvents(written)) {
    if (before.some((known) => sameJson(known.event, each.event))) continue;
    const { event } = each;
    context.observe(event);
    if (event.type === 'ScheduleOverdue') {
      recordEvent(acting, 'Warning', { reason: 'Overdue', message: event.message });
    }
  }
}

export function recordEvent(
  { context, facts }: Acting,
  type: 'Normal' | 'Warning',
  { reason, message }: Failure,
): void {
  const about = aboutObject(snapshotSchedules, facts.schedule);
  context.recorder.record({ about, type, reason, message });
}
