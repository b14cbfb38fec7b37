/** The snapshot lifecycle as metrics, in the exposition format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { SnapshotEvent } from '../../lifecycles/snapshot/snapshot-event.ts';
import type { ObservedEvent } from '../observed-event.ts';

export interface SnapshotMetrics {
  readonly observe: (event: ObservedEvent) => void;
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

/** Read at each scrape, since it has to be correct after a restart too. */
export interface FrozenNow {
  /** Number of containers whose preAction has started and whose thaw has not ended. */
  readonly frozen: number;
  /** Those of them whose thaw has failed so far, or whose expiry has passed. */
  readonly overdue: number;
  /** Those of them whose container exited before their thaw was proven. */
  readonly unproven: number;
}

const FREEZE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const MS = 1_000;

export function makeSnapshotMetrics(frozenNow: () => FrozenNow): SnapshotMetrics {
  const registers = [new Registry()];
  const counted = snapshotMetrics(registers);
  addFrozenGauges(registers, frozenNow);
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
  return (event) => {
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
