/** The node's sign of life, as the API has it of every node: a Lease that is renewed while the node runs. */
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Node } from 'kubernetes-types/core/v1.js';

import { isReason } from '../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { leases } from '../../../../src/kube/resources.ts';
import type { CancelSignal, Platform } from '../../../../src/platform/platform.ts';
import { sleep } from '../../../../src/platform/sleep.ts';

/** As the kubelet has them. */
export const LEASE_NAMESPACE = 'kube-node-lease';
const DURATION_SECONDS = 40;
const RENEW_MS = 10_000;

export interface Renewing {
  readonly client: KubeClient;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly node: Node;
}

/** Until the signal aborts. A renewal that fails is made up for by the next one. */
export async function renewNodeLease(renewing: Renewing, signal: CancelSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await renew(renewing);
    } catch {
      // The API server is of this process: where it does not take this, others say why.
    }
    await sleep(renewing.platform.timers, RENEW_MS, signal);
  }
}

async function renew({ client, platform, node }: Renewing): Promise<void> {
  const { name = '', uid = '' } = node.metadata ?? {};
  const renewTime = microTime(platform.clock.nowMs());
  const spec = { holderIdentity: name, leaseDurationSeconds: DURATION_SECONDS, renewTime };
  const key = { namespace: LEASE_NAMESPACE, name };
  try {
    await client.patch(leases, key, { type: 'merge', body: { spec } });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid };
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...key, ownerReferences: [owner] },
      spec,
    };
    await client.create(leases, lease);
  }
}

function microTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('Z', '000Z');
}
