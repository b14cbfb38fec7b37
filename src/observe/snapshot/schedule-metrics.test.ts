import { expect, it } from 'vitest';

import { MetricSet } from '../metric-set.ts';
import type { ScheduleNow } from '../../lifecycles/snapshot/schedule/schedules-now.ts';
import { addScheduleMetrics } from './schedule-metrics.ts';

const FIGURES: ScheduleNow = {
  namespace: 'shop',
  name: 'db',
  lastGoodSeconds: 1_777_600_000,
  intervalSeconds: 3_600,
  active: 1,
  isSuspended: false,
  good: 4,
  failed: 3,
  missed: 2,
  late: 1,
  rehearsals: {
    lastGoodSeconds: 1_777_500_000,
    intervalSeconds: 86_400,
    good: 7,
    failed: 6,
    missed: 5,
  },
};

it('exposes each schedule as it is at the scrape, and no deleted one', async () => {
  let schedules = [FIGURES, { ...FIGURES, name: 'cache', isSuspended: true, rehearsals: null }];
  const metrics = new MetricSet();
  addScheduleMetrics(metrics, () => schedules);
  const lines = async (): Promise<string[]> =>
    (await metrics.expose()).text.split('\n').filter((line) => line.startsWith('lifehook'));
  const labels = '{schedule_namespace="shop",schedule="db"}';
  expect(await lines()).toEqual(
    expect.arrayContaining([
      `lifehook_schedule_last_good_timestamp_seconds${labels} 1777600000`,
      `lifehook_schedule_interval_seconds${labels} 3600`,
      `lifehook_schedule_active${labels} 1`,
      `lifehook_schedule_suspended${labels} 0`,
      'lifehook_schedule_suspended{schedule_namespace="shop",schedule="cache"} 1',
      'lifehook_schedule_results_total{schedule_namespace="shop",schedule="db",result="Good"} 4',
      'lifehook_schedule_results_total{schedule_namespace="shop",schedule="db",result="Failed"} 3',
      'lifehook_schedule_results_total{schedule_namespace="shop",schedule="db",result="Missed"} 2',
      `lifehook_schedule_late_total${labels} 1`,
      `lifehook_schedule_last_good_rehearsal_timestamp_seconds${labels} 1777500000`,
      `lifehook_schedule_rehearsal_interval_seconds${labels} 86400`,
      'lifehook_schedule_rehearsals_total{schedule_namespace="shop",schedule="db",result="Good"} 7',
      'lifehook_schedule_rehearsals_total{schedule_namespace="shop",schedule="db",result="Failed"} 6',
      'lifehook_schedule_rehearsals_total{schedule_namespace="shop",schedule="db",result="Missed"} 5',
    ]),
  );
  const ofCache = (await lines()).filter((line) => line.includes('"cache"'));
  expect(ofCache.filter((line) => line.includes('rehearsal'))).toEqual([]);
  schedules = [];
  expect(await lines()).toEqual([]);
});
