/** Formats a SnapshotSchedule and a SnapshotGuard as text. Pure. */
import { findCondition } from '../../controller/conditions.ts';
import type { SnapshotGuard, ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import { SCHEDULED_AT } from '../../lifecycles/snapshot/names.ts';
import type {
  SnapshotSchedule,
  SnapshotScheduleStatus,
} from '../../lifecycles/snapshot/schedule/kinds.ts';
import { textTable } from '../terminal-text.ts';

/** The text of `lifehook snapshot schedule`. `retained`: the snapshots of the schedule that are kept. */
export function scheduleText(
  { metadata = {}, spec, status = {} }: SnapshotSchedule,
  retained: readonly ApplicationSnapshot[],
): string {
  const suspended = spec.suspend === true ? ', suspended' : '';
  const lines = [
    `SnapshotSchedule ${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    `  schedule  ${spec.schedule} (${spec.timeZone ?? 'UTC'}${suspended})`,
    `  ready     ${conditionText(status)}`,
    `  next run  ${status.nextScheduleTime ?? '-'}`,
    `  last run  ${status.lastScheduleTime ?? '-'}`,
    `  last good ${lastGoodText(status)}`,
    ...rehearsalLines(status),
    `  retained  ${retained.length}`,
  ];
  const table = retained.length === 0 ? '' : `\n${retainedTable(retained)}`;
  return `${lines.join('\n')}\n${table}`;
}

function lastGoodText({
  lastSuccessfulTime,
  lastSuccessfulSnapshotName = '',
}: SnapshotScheduleStatus): string {
  return lastSuccessfulTime === undefined
    ? 'none'
    : `${lastSuccessfulSnapshotName}, cut at ${lastSuccessfulTime}`;
}

function rehearsalLines({ lastRehearsal, rehearsal }: SnapshotScheduleStatus): string[] {
  if (rehearsal === undefined && lastRehearsal === undefined) return [];
  const { result = '-', scheduledTime = '', message = '' } = lastRehearsal ?? {};
  const last = lastRehearsal === undefined ? 'none' : `${result} at ${scheduledTime}: ${message}`;
  return [`  rehearsed ${last}`, `  next      ${rehearsal?.nextScheduleTime ?? '-'}`];
}

function retainedTable(retained: readonly ApplicationSnapshot[]): string {
  const heading = ['SNAPSHOT', 'SCHEDULED', 'PHASE', 'VERDICT', 'REASON'];
  return textTable(heading, retained.map(retainedRow));
}

function retainedRow({ metadata, status = {} }: ApplicationSnapshot): string[] {
  const { name = '', annotations = {} } = metadata ?? {};
  const { phase = 'Pending', verdict, failure } = status;
  const { value, reason } = verdict ?? { value: '-', reason: failure?.reason ?? '-' };
  return [name, annotations[SCHEDULED_AT] ?? '-', phase, value, reason];
}

export function guardText({ metadata = {}, status = {} }: SnapshotGuard): string {
  const { window } = status;
  const lines = [
    `SnapshotGuard ${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    `  ready     ${conditionText(status)}`,
  ];
  if (window !== undefined) {
    const { name, phase, admitted, verdict = 'no verdict yet' } = window;
    lines.push(`  window    ${name} (${phase}), admitted ${admitted}: ${verdict}`);
  }
  return `${lines.join('\n')}\n`;
}

type WithConditions = Pick<SnapshotScheduleStatus, 'conditions'>;

function conditionText({ conditions = [] }: WithConditions): string {
  const ready = findCondition(conditions, 'Ready');
  if (ready === undefined) return '-';
  return ready.status === 'True' ? 'yes' : `no: ${ready.reason}: ${ready.message}`;
}
