/** Enters the phases of a rollout: computes the status to write, and its Events. Pure. */
import type { Notice } from '../../../controller/event-correlator.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import type { DeploymentLifecycleStatus, Phase, RolloutFailure, RolloutStatus } from '../kinds.ts';
import type { Managed, Rolling } from './facts.ts';
import type { MachineStep } from './step.ts';

const OVER: readonly Phase[] = ['Done', 'Failed', 'Held', 'RolledBack'];

export function isOver({ phase }: RolloutStatus): boolean {
  return OVER.includes(phase);
}

export function nowText({ nowMs }: { readonly nowMs: number }): string {
  return microTimeText(nowMs);
}

export interface Entering {
  readonly reason: string;
  readonly rollout?: Partial<RolloutStatus>;
  readonly status?: DeploymentLifecycleStatus;
  readonly notices?: readonly Notice[];
}

export function enter(facts: Rolling, phase: Phase, entering: Entering): MachineStep {
  const { rollout: before } = facts;
  const { waitingFor: _, finishedAt: _before, ...kept } = before;
  const at = nowText(facts);
  const entered: RolloutStatus = { ...kept, phase, phaseStartedAt: at, ...entering.rollout };
  const rollout = isOver(entered) ? { ...entered, finishedAt: at } : entered;
  const afterMs = Math.max(0, facts.nowMs - Date.parse(before.phaseStartedAt));
  return {
    kind: 'record',
    reason: entering.reason,
    status: { ...entering.status, rollout },
    emits: {
      notices: entering.notices ?? [],
      observed: [{ type: 'PhaseEntered', number: facts.number, phase, afterMs }],
    },
  };
}

/** Records the pods for which the phase waits; null: they are unchanged. */
export function waitingFor(facts: Rolling, names: readonly string[]): MachineStep | null {
  const text = namesText(names);
  const { waitingFor: before, ...kept } = facts.rollout;
  if (text === (before ?? '')) return null;
  const rollout = text === '' ? kept : { ...kept, waitingFor: text };
  return { kind: 'record', reason: `it waits for ${text}`, status: { rollout }, emits: {} };
}

export function failureOf(facts: Managed, failure: Omit<RolloutFailure, 'at'>): RolloutFailure {
  return { ...failure, at: nowText(facts) };
}

/** Milliseconds until the phase has lasted that many seconds; negative: it has lasted longer. */
export function leftMs({ nowMs, rollout }: Rolling, seconds: number): number {
  return Date.parse(rollout.phaseStartedAt) + seconds * 1_000 - nowMs;
}

const NAMES_SHOWN = 5;

function namesText(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, NAMES_SHOWN).join(', ');
  const more = names.length - NAMES_SHOWN;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
