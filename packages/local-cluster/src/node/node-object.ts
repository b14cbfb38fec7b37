import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Node } from 'kubernetes-types/core/v1.js';

import { timeText } from '../../../../src/controller/kube-time.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { nodes, leases } from '../../../../src/kube/resources.ts';
import { ApiError, isReason } from '../../../../src/kube/api-error.ts';
import type { CancelSignal, Platform } from '../../../../src/platform/platform.ts';
import { sleep } from '../../../../src/platform/sleep.ts';
import { ensure } from '../ensure.ts';

export interface NodeFacts {
  readonly name: string;
  readonly hostIp: string;
  readonly nowMs: number;
  readonly operatingSystem: string;
  readonly architecture: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Name and version of the container runtime, such as "process://0.1.0". */
  readonly runtimeVersion: string;
}

/** Maximum number of pods on the node. */
export const MAX_PODS = 1_000;

/** Writes the Node object with the condition Ready. */
export async function registerNode(client: KubeClient, facts: NodeFacts): Promise<Node> {
  const node = await ensure<Node>(client, nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: facts.name, labels: labelsOf(facts) },
    spec: {},
  });
  try {
    return await client.replaceStatus(nodes, { ...node, status: statusOf(facts) });
  } catch (error) {
    // A webhook may refuse the write. The status of the last start is as good.
    if (!(error instanceof ApiError) || node.status?.conditions === undefined) throw error;
    return node;
  }
}

function labelsOf({ name, operatingSystem, architecture }: NodeFacts): Record<string, string> {
  return {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': operatingSystem,
    'kubernetes.io/arch': architecture,
  };
}

function statusOf(facts: NodeFacts): NonNullable<Node['status']> {
  const { hostIp, name, nowMs, cpus, memoryBytes, operatingSystem, architecture } = facts;
  const capacity = { cpu: String(cpus), memory: String(memoryBytes), pods: String(MAX_PODS) };
  const now = timeText(nowMs);
  return {
    capacity: capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: hostIp },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'NodeReady',
        message: 'the local node runs',
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
    nodeInfo: {
      architecture,
      operatingSystem,
      bootID: '',
      containerRuntimeVersion: facts.runtimeVersion,
      kernelVersion: '',
      kubeProxyVersion: 'v1.37.2',
      kubeletVersion: 'v1.37.2',
      machineID: '',
      osImage: 'lifehook',
      systemUUID: '',
    },
  };
}

/** Namespace and times of the node's heartbeat, a Lease, as in the kubelet. */
const LEASE_NAMESPACE = 'kube-node-lease';
const DURATION_SECONDS = 40;
const RENEW_MS = 10_000;

interface Renewing {
  readonly client: KubeClient;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly node: Node;
}

/** Renews the Lease until the signal aborts. A failed renewal is not retried before the next one. */
export async function renewNodeLease(renewing: Renewing, signal: CancelSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await renew(renewing);
    } catch {
      // The API server is in this process: if it refuses the renewal, other parts report the reason.
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
