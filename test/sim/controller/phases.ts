/** The phases of the sample controller, as its user can observe them. */
import { leases } from '../../../src/kube/resources.ts';
import { LEASE } from './judge.ts';
import { widgets } from './sample-controller.ts';
import type { SimApi } from './sim-api.ts';

export const PHASES = ['no leader', 'idle', 'reconciling', 'deleting'] as const;
export type ControllerPhase = (typeof PHASES)[number];

/** Duration of a Lease without a renewal, in milliseconds. */
const LEASE_MS = 15_000;

export interface PhaseFacts {
  readonly api: SimApi;
  /** Names of the processes that are running. */
  readonly hosts: readonly string[];
  readonly isReconciling: boolean;
  /** Milliseconds since the Lease was last written. */
  readonly leaseAgeMs: number;
}

export function phasesIn({
  api,
  hosts,
  isReconciling,
  leaseAgeMs,
}: PhaseFacts): readonly ControllerPhase[] {
  const lease = api.find(leases, LEASE)?.spec as { holderIdentity?: string } | undefined;
  const isLed = hosts.includes(lease?.holderIdentity ?? '') && leaseAgeMs <= LEASE_MS;
  const isDeleting = api
    .peek(widgets)
    .some(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const work = isReconciling ? 'reconciling' : 'idle';
  return [isLed ? work : 'no leader', ...(isDeleting ? (['deleting'] as const) : [])];
}
