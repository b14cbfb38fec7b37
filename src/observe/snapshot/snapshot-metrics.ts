/** The snapshot lifecycle as metrics, in the exposition format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { RestoreEnded, SnapshotEvent } from '../../lifecycles/snapshot/snapshot-event.ts';
import type { ObservedEvent } from '../observed-event.ts';
import { addScheduleMetrics, type ScheduleFigures } from './schedule-metrics.ts';

export interface SnapshotMetrics {
  readonly observe: (event: ObservedEvent) => void;
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

/** Read at each scrape, since it has to be correct after a restart too. */
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
  readonly schedules: () => readonly ScheduleFigures[];
}

export function makeSnapshotMetrics(options: SnapshotMetricsOptions): SnapshotMetrics {
  const registers = [new Registry()];
  const counted = snapshotMetrics(registers);
  addFrozenGauges(registers, options.frozenNow);
  addScheduleMetrics(registers, options.schedules);
  return {
    observe: (event) => {
      if (event.lifecycle === 'snapshot') counted(event.detail);
    },
    expose: async () => ({
      type: registers[0]?.contentType ?? '',
      text: (await registers[0]?.metrics()) ?? '',
    }),
  };
}

function addFrozenGauges(registers: Registry[], frozenNow: () => FrozenNow): void {
  const frozen = new Gauge({
    name: 'lifehook_frozen_targets',
    help: 'containers that are frozen now',
    registers,
    collect: () => {
      frozen.set(frozenNow().frozen);
    },
  });
  const overdue = new Gauge({
    name: 'lifehook_thaw_overdue',
    help: 'containers whose thaw is overdue',
    registers,
    collect: () => {
      overdue.set(frozenNow().overdue);
    },
  });
  const unproven = new Gauge({
    name: 'lifehook_thaw_unproven',
    help: 'containers that ended before their thaw was proven, whose volumes may still be frozen',
    registers,
    collect: () => {
      unproven.set(frozenNow().unproven);
    },
  });
}

function snapshotMetrics(registers: Registry[]): (event: SnapshotEvent) => void {
  const freeze = new Histogram({
    name: 'lifehook_freeze_seconds',
    help: 'from the first preAction of a container to its thaw',
    labelNames: ['by'],
    buckets: FREEZE_BUCKETS,
    registers,
  });
  const attempts = new Histogram({
    name: 'lifehook_hook_attempt_seconds',
    help: 'attempts of preActions, postActions and probes',
    labelNames: ['action', 'outcome'],
    buckets: FREEZE_BUCKETS,
    registers,
  });
  const cut = new Histogram({
    name: 'lifehook_cut_seconds',
    help: 'from the request of the volume snapshots to the cut of the last',
    buckets: FREEZE_BUCKETS,
    registers,
  });
  const releases = new Counter({
    name: 'lifehook_releases_total',
    help: 'why thaws began',
    labelNames: ['cause'],
    registers,
  });
  const verdicts = new Counter({
    name: 'lifehook_verdicts_total',
    help: 'verdicts on snapshots',
    labelNames: ['verdict', 'reason'],
    registers,
  });
  const restores = restoreMetrics(registers);
  const countGuard = guardMetrics(registers);
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

/** Seconds: a copy of a large volume takes hours. */
const RESTORE_BUCKETS = [1, 5, 15, 60, 300, 900, 3_600, 14_400];

function restoreMetrics(registers: Registry[]): (event: RestoreEnded) => void {
  const restores = new Counter({
    name: 'lifehook_restores_total',
    help: 'restores that have ended',
    labelNames: ['outcome', 'verification', 'scratch'],
    registers,
  });
  const seconds = new Histogram({
    name: 'lifehook_restore_seconds',
    help: 'from the start of a restore to its end',
    labelNames: ['outcome'],
    buckets: RESTORE_BUCKETS,
    registers,
  });
  return ({ outcome, verification, scratch, restoreMs }) => {
    restores.inc({ outcome, verification, scratch: String(scratch) });
    seconds.observe({ outcome }, restoreMs / MS);
  };
}

function guardMetrics(registers: Registry[]): (event: SnapshotEvent) => void {
  const answers = new Counter({
    name: 'lifehook_guard_answers_total',
    help: 'answers to requests to create snapshots of guarded claims',
    labelNames: ['answer', 'reason'],
    registers,
  });
  const windows = new Counter({
    name: 'lifehook_guard_windows_total',
    help: 'windows of guards that have ended',
    labelNames: ['reason'],
    registers,
  });
  const admitted = new Counter({
    name: 'lifehook_guard_admitted_total',
    help: 'snapshots that the ended windows had admitted',
    registers,
  });
  return (event) => {
    if (event.type === 'GuardAnswered') {
      answers.inc({ answer: event.answer, reason: event.reason });
    }
    if (event.type !== 'WindowEnded') return;
    windows.inc({ reason: event.reason });
    admitted.inc(event.admitted);
  };
}
