/** Whether a controller is at work: by the Lease that it renews. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';

import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { findRenewed, LEASE_NAME, readLeases } from './controller-leases.ts';
import type { Proof } from './gate-proofs.ts';

const WHAT = 'controller';

export async function controllerProof(client: KubeClient): Promise<Proof> {
  try {
    const found = await readLeases(client);
    if (found.length === 0) {
      return unknown(`no Lease "${LEASE_NAME}": it runs without one, or not at all`);
    }
    return proofOf(found, await findRenewed(client, found));
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    return unknown('you may not read Leases of all namespaces');
  }
}

function proofOf(found: readonly Lease[], renewed: Lease | null): Proof {
  if (renewed !== null) {
    const { holderIdentity = '?' } = renewed.spec ?? {};
    return { what: WHAT, result: 'ok', told: `${holderIdentity} renews its Lease` };
  }
  return {
    what: WHAT,
    result: 'failed',
    told: `nobody renews the Lease ${namesOf(found)}`,
    next: 'Start one: `lifehook controller`, or see the pods of the Deployment lifehook-controller.',
  };
}

function namesOf(found: readonly Lease[]): string {
  return found
    .map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`)
    .join(', ');
}

function unknown(told: string): Proof {
  return { what: WHAT, result: 'unknown', told };
}
