/** The conditions of a pod's status. The transition time of a condition changes only with its status. Pure. */
import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.js';

import { initialized, isAlive } from './decide.ts';
import type { ContainerFacts, PodFacts } from './facts.ts';
import { deferredMessage, type ResizeState } from './resize.ts';
import type { Phase, StatusFacts } from './status.ts';
import { timeText } from '../../controller/kube-time.ts';

export function conditionsOf(reporting: StatusFacts, phase: Phase): PodCondition[] {
  const { facts, podIp, before, decision } = reporting;
  const notReady = whyNotReady(facts, phase);
  const wanted: readonly Wanted[] = [
    ...resizeConditions(reporting.resize),
    {
      type: 'PodReadyToStartContainers',
      failing: podIp === null || decision.over ? NO_SANDBOX : null,
    },
    { type: 'Initialized', ...isInitialized(facts, phase) },
    { type: 'Ready', failing: notReady ?? whyGated(facts, before) },
    { type: 'ContainersReady', failing: notReady },
    { type: 'PodScheduled', failing: null },
  ];
  const kept = (before.conditions ?? []).filter(({ type }) => !isOurs(type));
  const { generation } = facts.pod.metadata ?? {};
  const seen = generation === undefined ? {} : { observedGeneration: generation };
  return [...kept, ...wanted.map((want) => ({ ...condition(want, before, facts.nowMs), ...seen }))];
}

const NO_SANDBOX = { reason: 'PodSandboxNotReady', message: 'pod sandbox is not ready' };
const COMPLETED = { reason: 'PodCompleted' };

function isInitialized(facts: PodFacts, phase: Phase): Omit<Wanted, 'type'> {
  if (phase === 'Succeeded') return { failing: null, met: COMPLETED };
  if (initialized(facts)) return { failing: null };
  const names = facts.containers.filter(isIncomplete).map(({ spec }) => spec.name);
  const message = `containers with incomplete status: [${names.join(' ')}]`;
  return { failing: { reason: 'ContainersNotInitialized', message } };
}

function isIncomplete({ role, state, started }: ContainerFacts): boolean {
  if (role === 'sidecar') return !started;
  return role === 'init' && (state.kind !== 'ended' || state.end.exitCode !== 0);
}

function resizeConditions(resize: ResizeState | null): readonly Wanted[] {
  if (resize === null) return [];
  if (resize.kind === 'InProgress') return [{ type: 'PodResizeInProgress', failing: null }];
  const met = { reason: 'Deferred', message: deferredMessage(resize) };
  return [{ type: 'PodResizePending', failing: null, met }];
}

function whyGated({ pod }: PodFacts, before: PodStatus): Failing | null {
  const why = (pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = before.conditions?.find(({ type }) => type === conditionType);
    const gate = `pod readiness gate "${conditionType}"`;
    if (found === undefined) return [`corresponding condition of ${gate} does not exist.`];
    if (found.status === 'True') return [];
    return [`the status of ${gate} is not "True", but ${found.status}`];
  });
  return why.length === 0 ? null : { reason: 'ReadinessGatesNotReady', message: why.join(', ') };
}

/** Conditions that a pod has only temporarily: each is removed when it no longer applies. */
export const PASSING: readonly string[] = ['PodResizeInProgress', 'PodResizePending'];

const OURS: readonly string[] = [
  ...PASSING,
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
 * The status with which the next one is compared: the conditions that Lifehook last reported, and the conditions of
 * other writers as in the API. The API shows Lifehook's reports late. A comparison with the API alone would therefore
 * change a transition time at every update.
 */
export function statusBefore(api: PodStatus, reported: PodStatus | null): PodStatus {
  if (reported === null) return api;
  const others = (api.conditions ?? []).filter(({ type }) => !isOurs(type));
  const ours = (reported.conditions ?? []).filter(({ type }) => isOurs(type));
  return { ...reported, conditions: [...others, ...ours] };
}

interface Wanted {
  readonly type: string;
  /** The reason why the condition is not met; null: it is met. */
  readonly failing: Failing | null;
  /** Reason and message of a condition that is met; absent: it has none. */
  readonly met?: Failing;
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

function condition(
  { type, failing, met = {} }: Wanted,
  before: PodStatus,
  nowMs: number,
): PodCondition {
  const status = failing === null ? 'True' : 'False';
  const old = before.conditions?.find((candidate) => candidate.type === type);
  const since = old?.status === status ? old.lastTransitionTime : undefined;
  return { type, status, lastTransitionTime: since ?? timeText(nowMs), ...(failing ?? met) };
}
