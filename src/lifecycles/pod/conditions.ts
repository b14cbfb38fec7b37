/** The conditions of a pod's status; their times change only when they flip. Pure. */
import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.js';

import { initialized, isAlive } from './decide.ts';
import type { ContainerFacts, PodFacts } from './facts.ts';
import type { Phase, StatusFacts } from './status.ts';
import { toTime } from './status-time.ts';

export function conditionsOf(telling: StatusFacts, phase: Phase): PodCondition[] {
  const { facts, podIp, before, decision } = telling;
  const notReady = whyNotReady(facts, phase);
  const gatesMet = (facts.pod.spec?.readinessGates ?? []).every((gate) =>
    isTrue(before, gate.conditionType),
  );
  const gatesOpen = { reason: 'ReadinessGatesNotReady', message: 'a readiness gate is not met' };
  const wanted: readonly Wanted[] = [
    { type: 'PodReadyToStartContainers', failing: podIp === null || decision.over ? {} : null },
    {
      type: 'Initialized',
      failing: initialized(facts) ? null : { reason: 'ContainersNotInitialized' },
    },
    { type: 'Ready', failing: notReady ?? (gatesMet ? null : gatesOpen) },
    { type: 'ContainersReady', failing: notReady },
    { type: 'PodScheduled', failing: null },
  ];
  const kept = (before.conditions ?? []).filter(({ type }) => !isOurs(type));
  return [...kept, ...wanted.map((want) => condition(want, before, facts.nowMs))];
}

const OURS: readonly string[] = [
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
];

function isOurs(type: string): boolean {
  return OURS.includes(type);
}

/**
 * What the next status is compared with: ours as we told it last, others' as the API has them. Ours
 * come back from the API late; to go by them would flip a condition's time with every echo.
 */
export function statusBefore(api: PodStatus, told: PodStatus | null): PodStatus {
  if (told === null) return api;
  const others = (api.conditions ?? []).filter(({ type }) => !isOurs(type));
  const ours = (told.conditions ?? []).filter(({ type }) => isOurs(type));
  return { ...told, conditions: [...others, ...ours] };
}

interface Wanted {
  readonly type: string;
  /** null: the condition is met; else why not. */
  readonly failing: Failing | null;
}

interface Failing {
  readonly reason?: string;
  readonly message?: string;
}

function whyNotReady(facts: PodFacts, phase: Phase): Failing | null {
  if (phase === 'Succeeded') return { reason: 'PodCompleted' };
  if (phase === 'Failed') return { reason: 'PodFailed' };
  const unready = facts.containers.filter(countsForReady).filter(({ ready }) => !ready);
  if (unready.length === 0) return null;
  const names = unready.map(({ spec }) => spec.name).join(' ');
  return { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
}

function countsForReady(container: ContainerFacts): boolean {
  return container.role === 'main' || (container.role === 'sidecar' && isAlive(container));
}

function isTrue(status: PodStatus, type: string): boolean {
  return (status.conditions ?? []).some((found) => found.type === type && found.status === 'True');
}

function condition({ type, failing }: Wanted, before: PodStatus, nowMs: number): PodCondition {
  const status = failing === null ? 'True' : 'False';
  const old = before.conditions?.find((candidate) => candidate.type === type);
  const since = old?.status === status ? old.lastTransitionTime : undefined;
  return { type, status, lastTransitionTime: since ?? toTime(nowMs), ...failing };
}
