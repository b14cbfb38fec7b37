/**
 * The probes of a container: the handler of each, the verdict on consecutive results, and the health with which a
 * restarted node begins. Thresholds are as in the Kubernetes API. Pure.
 */
import type { Container, HTTPGetAction, Pod, Probe } from 'kubernetes-types/core/v1.js';

import type { RunningContainer } from '../../platform/container-runtime.ts';
import type { Handler, HttpGetHandler } from '../../model/hook.ts';

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

/** `verdict`: the current result. `successes` and `failures`: number of latest consecutive results. */
export interface ProbeState {
  readonly verdict: 'unknown' | 'passing' | 'failing';
  readonly successes: number;
  readonly failures: number;
}

export const freshProbe: ProbeState = { verdict: 'unknown', successes: 0, failures: 0 };

/**
 * The state after one more result. Worked example with failureThreshold 3 and successThreshold 1: after two failures
 * the verdict is still unknown or passing. The third failure makes it failing, and one success makes it passing.
 */
export function addResult(state: ProbeState, succeeded: boolean, probe: Probe): ProbeState {
  const successes = succeeded ? state.successes + 1 : 0;
  const failures = succeeded ? 0 : state.failures + 1;
  const row = { successes, failures };
  if (successes >= (probe.successThreshold ?? 1)) return { verdict: 'passing', ...row };
  if (failures >= (probe.failureThreshold ?? 3)) return { verdict: 'failing', ...row };
  return { verdict: state.verdict, ...row };
}

/**
 * The health that the API status reports for a container which a restarted node finds running. The container stays
 * started and ready until a probe fails, as with a kubelet (KEP-4781).
 */
export interface ReportedHealth {
  readonly ready: boolean;
}

/**
 * What the pod's status says about a running container; null: the status does not say that the container has started,
 * so its postStart hook or startup probe may be pending. Only the status of this run is read: the container id has the
 * number of the run.
 */
export function reportedHealth({ status }: Pod, { id }: RunningContainer): ReportedHealth | null {
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  const reported = [...initContainerStatuses, ...containerStatuses].find(({ containerID = '' }) =>
    containerID.endsWith(`://${id}`),
  );
  if (reported?.state?.running === undefined || reported.started !== true) return null;
  return { ready: reported.ready };
}

export interface ProbeFacts {
  readonly container: Container;
  readonly podIp: string | null;
}

/** The handler of a probe, or the reason why there is none. Without a handler the probe fails. */
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

/**
 * POD-V9: a tcpSocket probe connects to the host that it names, or else to the pod. Returns the reason if it cannot.
 */
function tcpTarget(
  { host = '', port }: NonNullable<Probe['tcpSocket']>,
  { container, podIp }: ProbeFacts,
): Handler | string {
  const target = host === '' ? podIp : host;
  if (target === null) return 'the pod has no address yet';
  const number = resolvePort(port, container);
  return typeof number === 'string' ? number : { kind: 'tcpSocket', host: target, port: number };
}

interface HttpTarget {
  readonly container: Container;
  /** null: the pod has no address yet. */
  readonly podIp: string | null;
  /** The default User-Agent, which a header of the action overrides (POD-K21). */
  readonly agent: string;
}

/**
 * The request of a hook or a probe, or the reason why there is none. A request without a host is sent to the pod's
 * address. The node sends every request, so the host 127.0.0.1 is the node itself (POD-K16, POD-K17).
 */
export function httpTarget(
  { host = '', port, path = '/', scheme, httpHeaders = [] }: HTTPGetAction,
  { container, podIp, agent }: HttpTarget,
): HttpGetHandler | string {
  const address = host === '' ? podIp : host;
  if (address === null) return 'failed to find networking container: the pod has no address yet';
  const number = resolvePort(port, container);
  if (typeof number === 'string') return number;
  const headers = httpHeaders.map(({ name, value }) => ({ name, value }));
  const named = headers.some(({ name }) => name.toLowerCase() === 'user-agent');
  return {
    kind: 'httpGet',
    scheme: scheme === 'HTTPS' ? 'HTTPS' : 'HTTP',
    host: address,
    port: number,
    path,
    httpHeaders: named ? headers : [{ name: 'User-Agent', value: agent }, ...headers],
  };
}

const PORT_MAX = 65_535;

/**
 * Resolves a port: a number, a number as text, or a port name of the container. Returns the reason if it cannot be
 * resolved (POD-K18).
 */
export function resolvePort(
  port: number | string,
  { name, ports = [] }: Container,
): number | string {
  const number = typeof port === 'number' || /^\d+$/.test(port) ? Number(port) : null;
  if (number !== null) {
    return number >= 1 && number <= PORT_MAX ? number : `invalid port number: ${number}`;
  }
  const named = ports.find((candidate) => candidate.name === port);
  if (named !== undefined) return named.containerPort;
  const known = ports.flatMap((candidate) => candidate.name ?? []);
  const list = known.length === 0 ? 'it names none' : `it names ${known.join(', ')}`;
  return `couldn't find port "${port}" in container ${name}: ${list}`;
}
