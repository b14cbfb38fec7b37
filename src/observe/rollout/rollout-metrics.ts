/** The rollout lifecycle as metrics, in the exposition format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { findCondition } from '../../controller/conditions.ts';
import type { DeploymentLifecycle, Phase } from '../../lifecycles/rollout/kinds.ts';
import type { RolloutEvent } from '../../lifecycles/rollout/rollout-event.ts';
import type { ObservedEvent } from '../observed-event.ts';

export interface RolloutMetrics {
  readonly observe: (event: ObservedEvent) => void;
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

const ENDS: readonly Phase[] = ['Done', 'Failed', 'Held', 'RolledBack'];
/** Seconds. Hooks are as often migrations as short calls. */
const HOOK_BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
const MS = 1_000;

/** `lifecycles` is called at each scrape, since its values have to be correct after a restart too. */
export function makeRolloutMetrics(
  lifecycles: () => readonly DeploymentLifecycle[],
): RolloutMetrics {
  const registry = new Registry();
  const registers = [registry];
  addOpenGauge(registers, lifecycles);
  addHeldGauge(registers, lifecycles);
  addArmedGauge(registers, lifecycles);
  const counted = eventMetrics(registers);
  return {
    observe: (event) => {
      if (event.lifecycle === 'rollout') counted(event.detail);
    },
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

function addOpenGauge(
  registers: Registry[],
  lifecycles: () => readonly DeploymentLifecycle[],
): void {
  const open = new Gauge({
    name: 'lifehook_rollout_open',
    help: 'rollouts that have not ended, by phase',
    labelNames: ['phase'],
    registers,
    collect: () => {
      open.reset();
      for (const { status } of lifecycles()) {
        const phase = status?.rollout?.phase;
        if (phase !== undefined && !ENDS.includes(phase)) open.inc({ phase });
      }
    },
  });
}

function addHeldGauge(
  registers: Registry[],
  lifecycles: () => readonly DeploymentLifecycle[],
): void {
  const held = new Gauge({
    name: 'lifehook_rollout_held',
    help: 'rollouts that are held until a user applies another template or retries',
    registers,
    collect: () => {
      held.set(lifecycles().filter(({ status }) => status?.rollout?.phase === 'Held').length);
    },
  });
}

function addArmedGauge(
  registers: Registry[],
  lifecycles: () => readonly DeploymentLifecycle[],
): void {
  const armed = new Gauge({
    name: 'lifehook_rollout_gates',
    help: 'lifecycles of Deployments, by whether their gate is proven to hold',
    labelNames: ['armed'],
    registers,
    collect: () => {
      armed.reset();
      for (const { status } of lifecycles()) {
        const found = findCondition(status?.conditions ?? [], 'Armed');
        armed.inc({ armed: found?.status ?? 'Unknown' });
      }
    },
  });
}

function eventMetrics(registers: Registry[]): (event: RolloutEvent) => void {
  const ended = new Counter({
    name: 'lifehook_rollouts_total',
    help: 'rollouts that have ended, by how',
    labelNames: ['end'],
    registers,
  });
  const attempts = new Histogram({
    name: 'lifehook_rollout_hook_attempt_seconds',
    help: 'attempts of hooks, from their record to their end',
    labelNames: ['stage', 'outcome'],
    buckets: HOOK_BUCKETS,
    registers,
  });
  const bypasses = new Counter({
    name: 'lifehook_rollout_gate_bypasses_total',
    help: 'templates that ran, or would have, without their hooks',
    registers,
  });
  return (event) => {
    if (event.type === 'PhaseEntered' && ENDS.includes(event.phase)) {
      ended.inc({ end: event.phase });
    }
    if (event.type === 'AttemptEnded') {
      const { stage, outcome, durationMs } = event;
      attempts.observe({ stage, outcome }, durationMs / MS);
    }
    if (event.type === 'GateBypassed') bypasses.inc();
  };
}
