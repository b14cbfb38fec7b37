/** Finds the Leases of controllers, and checks whether one of them is renewed. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import type { KubeClient } from '../../kube/client.ts';
import { leases } from '../../kube/resources.ts';
import { nodeTimers } from '../../platform/timers.ts';
import { sleep } from '../../platform/sleep.ts';
import { LEASE_NAME } from './controller-election.ts';

const POLL_MS = 500;
const MS = 1_000;
const DEFAULT_DURATION_SECONDS = 15;

/** Reads all namespaces. */
export async function readLeases(client: KubeClient): Promise<readonly Lease[]> {
  return (await client.list(leases, { fieldSelector: `metadata.name=${LEASE_NAME}` })).items;
}

/** A Lease that is being renewed; null: none was renewed within its duration. */
export async function findRenewed(
  client: KubeClient,
  found: readonly Lease[],
): Promise<Lease | null> {
  if (found.length === 0) return null;
  return found.find(isFresh) ?? (await renewedMeanwhile(client, found));
}

function isFresh({ spec }: Lease): boolean {
  const { renewTime, leaseDurationSeconds = DEFAULT_DURATION_SECONDS } = spec ?? {};
  const age = Date.now() - Date.parse(renewTime ?? '');
  return age >= 0 && age < leaseDurationSeconds * MS;
}

/** The clock of this machine may differ from the cluster's: then only a change of the Lease proves a renewal. */
async function renewedMeanwhile(
  client: KubeClient,
  before: readonly Lease[],
): Promise<Lease | null> {
  const versions = new Set(before.map(({ metadata }) => metadata?.resourceVersion));
  const seconds = Math.max(
    ...before.map(({ spec }) => spec?.leaseDurationSeconds ?? DEFAULT_DURATION_SECONDS),
  );
  const endMs = Date.now() + seconds * MS;
  while (Date.now() < endMs) {
    await sleep(nodeTimers, POLL_MS);
    const now = await readLeases(client);
    const renewed = now.find(({ metadata }) => !versions.has(metadata?.resourceVersion));
    if (renewed !== undefined) return renewed;
  }
  return null;
}
