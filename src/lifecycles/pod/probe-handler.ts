import type { Container, Probe } from 'kubernetes-types/core/v1.js';

import type { Handler } from '../../model/hook.ts';
import { httpTarget } from './http-target.ts';
import { resolvePort } from './port.ts';

export interface ProbeFacts {
  readonly container: Container;
  readonly podIp: string | null;
}

/** A probe's handler, or the reason why there is none; that counts as a failure of the probe. */
export function probeHandler(
  { exec, httpGet, tcpSocket, grpc }: Probe,
  { container, podIp }: ProbeFacts,
): Handler | string {
  if (exec !== undefined) {
    const command = exec.command ?? [];
    return { kind: 'exec', command, namespace: '', pod: '', container: container.name };
  }
  if (httpGet !== undefined)
    return httpTarget(httpGet, { container, podIp, agent: 'kube-probe/1.37' });
  if (tcpSocket !== undefined) return tcpTarget(tcpSocket, { container, podIp });
  if (grpc === undefined) return 'the probe names no handler';
  return 'gRPC probes are not supported on this node; use httpGet, tcpSocket or exec';
}

function tcpTarget(
  { host, port }: NonNullable<Probe['tcpSocket']>,
  { container, podIp }: ProbeFacts,
): Handler | string {
  const address = host ?? podIp;
  if (address === null) return 'the pod has no address yet';
  const number = resolvePort(port, container);
  return typeof number === 'string' ? number : { kind: 'tcpSocket', host: address, port: number };
}
