import type { Node } from 'kubernetes-types/core/v1.js';

import { timeText } from '../../../../src/controller/kube-time.ts';
import type { KubeClient } from '../../../../src/kube/client.ts';
import { createOrGet } from '../../../../src/kube/create-or-get.ts';
import { nodes } from '../../../../src/kube/resources.ts';

export interface NodeFacts {
  readonly name: string;
  readonly hostIp: string;
  readonly nowMs: number;
  readonly operatingSystem: string;
  readonly architecture: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** "process://0.1.0" */
  readonly runtimeVersion: string;
}

/** How many pods the one node takes. */
export const MAX_PODS = 1_000;

/** The node as the API shows it; ready as soon as this returns. */
export async function registerNode(client: KubeClient, facts: NodeFacts): Promise<Node> {
  const node = await createOrGet(client, nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: facts.name, labels: labelsOf(facts) },
    spec: {},
  });
  return client.replaceStatus(nodes, { ...node, status: statusOf(facts) });
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
  const room = { cpu: String(cpus), memory: String(memoryBytes), pods: String(MAX_PODS) };
  const now = timeText(nowMs);
  return {
    capacity: room,
    allocatable: room,
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
