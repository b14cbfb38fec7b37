/** Whether a controller is at work: by the Lease that it renews. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { leases } from '../../kube/resources.ts';
import { sleep } from '../../platform/sleep.ts';
import { nodeTimers } from '../../platform/timers.ts';
import type { Proof } from './gate-proofs.ts';

/** That of `lifehook controller`, in the namespace that it was given. */
const LEASE_NAME = 'lifehook-controller';
const WHAT = 'controller';
const POLL_MS = 500;
const MS = 1_000;
const DEFAULT_DURATION_SECONDS = 15;

export async function controllerProof(client: KubeClient): Promise<Proof> {
  const found = await readLeases(client);
  if (found === null) return unknown('you may not read Leases of all namespaces');
  if (found.length === 0) {
    return unknown(`no Lease "${LEASE_NAME}": it runs without one, or not at all`);
  }
  const alive = found.find((lease) => isFresh(lease)) ?? (await renewedMeanwhile(client, found));
  if (alive !== undefined) {
    const { holderIdentity = '?' } = alive.spec ?? {};
    return { what: WHAT, result: 'ok', told: `${holderIdentity} renews its Lease` };
  }
  return {
    what: WHAT,
    result: 'failed',
    told: `nobody renews the Lease ${namesOf(found)}`,
    next: 'Start one: `lifehook controller`, or see the pods of the Deployment lifehook-controller.',
  };
}

/** null: whoever asks may not read them. */
async function readLeases(client: KubeClient): Promise<readonly Lease[] | null> {
  try {
    const fieldSelector = `metadata.name=${LEASE_NAME}`;
    return (await client.list(leases, { fieldSelector })).items;
  } catch (error) {
    if (isReason(error, 'Forbidden')) return null;
    throw error;
  }
}

function isFresh({ spec }: Lease): boolean {
  const { renewTime, leaseDurationSeconds = DEFAULT_DURATION_SECONDS } = spec ?? {};
  const age = Date.now() - Date.parse(renewTime ?? '');
  return age >= 0 && age < leaseDurationSeconds * MS;
}

/** This machine's clock may be another one than that of the cluster: then a change of the Lease is the proof. */
async function renewedMeanwhile(
  client: KubeClient,
  before: readonly Lease[],
): Promise<Lease | undefined> {
  const versions = new Set(before.map(({ metadata }) => metadata?.resourceVersion));
  const seconds = Math.max(
    ...before.map(({ spec }) => spec?.leaseDurationSeconds ?? DEFAULT_DURATION_SECONDS),
  );
  const endMs = Date.now() + seconds * MS;
  while (Date.now() < endMs) {
    await sleep(nodeTimers, POLL_MS);
    const now = (await readLeases(client)) ?? [];
    const renewed = now.find(({ metadata }) => !versions.has(metadata?.resourceVersion));
    if (renewed !== undefined) return renewed;
  }
  return undefined;
}

function namesOf(found: readonly Lease[]): string {
  return found
    .map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`)
    .join(', ');
}

function unknown(told: string): Proof {
  return { what: WHAT, result: 'unknown', told };
}
