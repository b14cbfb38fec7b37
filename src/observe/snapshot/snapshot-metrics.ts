/** The snapshot lifecycle as metrics. */
import type { ScheduleNow } from '../../lifecycles/snapshot/schedule/schedules-now.ts';
import type { RestoreEnded, SnapshotEvent } from '../../lifecycles/snapshot/snapshot-event.ts';
import { type Exposed, MetricSet } from '../metric-set.ts';
import type { ObservedEvent } from '../observed-event.ts';
import { addScheduleMetrics } from './schedule-metrics.ts';

export interface SnapshotMetrics extends Exposed {
  readonly observe: (event: ObservedEvent) => void;
}

/** Numbers of frozen containers, read at each scrape so that they are correct after a restart too. */
export interface FrozenNow {
  /** Number of containers whose preAction has started and whose thaw has not ended. */
  readonly frozen: number;
  /** Frozen containers whose thaw has failed so far, or whose expiry has passed. */
  readonly overdue: number;
  /** Frozen containers that exited before their thaw was proven. */
  readonly unproven: number;
}

const FREEZE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const MS = 1_000;

export interface SnapshotMetricsOptions {
  readonly frozenNow: () => FrozenNow;
  readonly schedules: () => readonly ScheduleNow[];
}

export function makeSnapshotMetrics(options: SnapshotMetricsOptions): SnapshotMetrics {
  const metrics = new MetricSet();
  const counted = snapshotMetrics(metrics);
  addFrozenGauges(metrics, options.frozenNow);
  addScheduleMetrics(metrics, options.schedules);
  return {
    observe: (event) => {
      if (event.lifecycle === 'snapshot') counted(event.detail);
    },
    expose: metrics.expose,
  };
}

function addFrozenGauges(metrics: MetricSet, frozenNow: () => FrozenNow): void {
  const add = (name: string, help: string, count: keyof FrozenNow): void => {
    const gauge = metrics.gauge(name, help);
    metrics.scraped(gauge, () => {
      gauge.set(frozenNow()[count]);
    });
  };
  add('lifehook_frozen_targets', 'containers that are frozen now', 'frozen');
  add('lifehook_thaw_overdue', 'containers whose thaw is overdue', 'overdue');
  add(
    'lifehook_thaw_unproven',
    'containers that ended before their thaw was proven, whose volumes may still be frozen',
    'unproven',
  );
}

function snapshotMetrics(metrics: MetricSet): (event: SnapshotEvent) => void {
  const freeze = metrics.histogram(
    ['lifehook_freeze_seconds', 'time from the first preAction of a container to its thaw'],
    FREEZE_BUCKETS,
    'by',
  );
  const attempts = metrics.histogram(
    ['lifehook_hook_attempt_seconds', 'duration of attempts of preActions, postActions and probes'],
    FREEZE_BUCKETS,
    'action',
    'outcome',
  );
  const cut = metrics.histogram(
    [
      'lifehook_cut_seconds',
      'time from the request of the volume snapshots to the cut of the last one',
    ],
    FREEZE_BUCKETS,
  );
  const releases = metrics.counter('lifehook_releases_total', 'why thaws began', 'cause');
  const verdicts = metrics.counter(
    'lifehook_verdicts_total',
    'verdicts on snapshots',
    'verdict',
    'reason',
  );
  const restores = restoreMetrics(metrics);
  const countGuard = guardMetrics(metrics);
  return (event) => {
    countGuard(event);
    if (event.type === 'RestoreEnded') restores(event);
    if (event.type === 'Thawed') freeze.observe({ by: event.by }, event.frozenMs / MS);
    if (event.type === 'AttemptEnded') {
      const { action, outcome, durationMs } = event;
      attempts.observe({ action, outcome }, durationMs / MS);
    }
    if (event.type === 'CutObserved') cut.observe(event.cutMs / MS);
    if (event.type === 'Released') releases.inc({ cause: event.cause });
    if (event.type === 'Verdict') verdicts.inc({ verdict: event.value, reason: event.reason });
  };
}

/** Seconds. A copy of a large volume takes hours. */
const RESTORE_BUCKETS = [1, 5, 15, 60, 300, 900, 3_600, 14_400];

function restoreMetrics(metrics: MetricSet): (event: RestoreEnded) => void {
  const restores = metrics.counter(
    'lifehook_restores_total',
    'restores that have ended',
    'outcome',
    'verification',
    'scratch',
  );
  const seconds = metrics.histogram(
    ['lifehook_restore_seconds', 'time from the start of a restore to its end'],
    RESTORE_BUCKETS,
    'outcome',
  );
  return ({ outcome, verification, scratch, restoreMs }) => {
    restores.inc({ outcome, verification, scratch: String(scratch) });
    seconds.observe({ outcome }, restoreMs / MS);
  };
}

function guardMetrics(metrics: MetricSet): (event: SnapshotEvent) => void {
  const answers = metrics.counter(
    'lifehook_guard_answers_total',
    'answers of the webhook to requests for snapshots of guarded claims',
    'answer',
    'reason',
  );
  const windows = metrics.counter(
    'lifehook_guard_windows_total',
    'ended windows of guards',
    'reason',
  );
  const admitted = metrics.counter(
    'lifehook_guard_admitted_total',
    'snapshots that the ended windows had admitted',
  );
  return (event) => {
    if (event.type === 'GuardAnswered') {
      answers.inc({ answer: event.answer, reason: event.reason });
    }
    if (event.type !== 'WindowEnded') return;
    windows.inc({ reason: event.reason });
    admitted.inc(event.admitted);
  };
}
