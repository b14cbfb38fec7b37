import type { Container, HTTPGetAction } from 'kubernetes-types/core/v1.js';

import type { HttpGetHandler } from '../../model/hook.ts';

export interface HttpTarget {
  readonly container: Container;
  /** null: the pod has no address yet. */
  readonly podIp: string | null;
  /** The default User-Agent; a header of the action overrides it (POD-K21). */
  readonly agent: string;
}

/**
 * The request of a hook or a probe, or why there is none. Without a host it is sent to the pod's address. The node
 * sends it, so the host 127.0.0.1 is the node itself (POD-K16, POD-K17).
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

/** Resolves a number, a number as text, or a port name of the container; on failure, returns the reason (POD-K18). */
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
