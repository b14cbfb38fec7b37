/**
 * The schedules as metrics. All values are read at each scrape from the statuses of the schedules, so that they are
 * correct after a restart, in every replica.
 */
import type { ScheduleNow } from '../../lifecycles/snapshot/schedule/schedules-now.ts';
import type { MetricSet } from '../metric-set.ts';

const LABELS = ['schedule_namespace', 'schedule'] as const;

export function addScheduleMetrics(
  metrics: MetricSet,
  schedules: () => readonly ScheduleNow[],
): void {
  const gauge = (
    name: string,
    help: string,
    value: (figures: ScheduleNow) => number | undefined,
  ): void => {
    const made = metrics.gauge(`lifehook_schedule_${name}`, help, ...LABELS);
    metrics.scraped(made, () => {
      for (const figures of schedules()) {
        const now = value(figures);
        if (now !== undefined) made.set(labelsOf(figures), now);
      }
    });
  };
  gauge(
    'last_good_timestamp_seconds',
    'time of the cut of the last good snapshot; before the first one, creation of the schedule',
    ({ lastGoodSeconds }) => lastGoodSeconds,
  );
  gauge(
    'interval_seconds',
    'longest of the next intervals between two scheduled times',
    ({ intervalSeconds }) => intervalSeconds,
  );
  gauge('active', 'snapshots of the schedule that have not ended', ({ active }) => active);
  gauge('suspended', '1 if the schedule is suspended', ({ isSuspended }) => (isSuspended ? 1 : 0));
  gauge(
    'last_good_rehearsal_timestamp_seconds',
    'time of the last rehearsal that passed; before the first one, the time from which rehearsals are expected',
    ({ rehearsals }) => rehearsals?.lastGoodSeconds,
  );
  gauge(
    'rehearsal_interval_seconds',
    'longest of the next intervals between two scheduled times of rehearsals',
    ({ rehearsals }) => rehearsals?.intervalSeconds,
  );
  addCounters(metrics, schedules);
}

type Results = Pick<ScheduleNow, 'good' | 'failed' | 'missed'>;

function addCounters(metrics: MetricSet, schedules: () => readonly ScheduleNow[]): void {
  const addResults = (
    name: string,
    help: string,
    of: (figures: ScheduleNow) => Results | null,
  ): void => {
    const results = metrics.counter(`lifehook_schedule_${name}`, help, ...LABELS, 'result');
    metrics.scraped(results, () => {
      for (const figures of schedules()) {
        const counts = of(figures);
        if (counts === null) continue;
        const labels = labelsOf(figures);
        results.inc({ ...labels, result: 'Good' }, counts.good);
        results.inc({ ...labels, result: 'Failed' }, counts.failed);
        results.inc({ ...labels, result: 'Missed' }, counts.missed);
      }
    });
  };
  addResults(
    'results_total',
    'scheduled times by their result: Good, Failed or Missed',
    (figures) => figures,
  );
  addResults(
    'rehearsals_total',
    'scheduled times of rehearsals by their result: Good, Failed or Missed',
    ({ rehearsals }) => rehearsals,
  );
  const late = metrics.counter(
    'lifehook_schedule_late_total',
    'snapshots that started more than a minute late',
    ...LABELS,
  );
  metrics.scraped(late, () => {
    for (const figures of schedules()) late.inc(labelsOf(figures), figures.late);
  });
}

function labelsOf({ namespace, name }: ScheduleNow): Record<string, string> {
  return { schedule_namespace: namespace, schedule: name };
}
