/** Where the connections of a Service go. Pure. */
import type { EndpointSubset, Endpoints, Service, ServicePort } from 'kubernetes-types/core/v1.js';

import type { TcpAddress } from '../../../../src/platform/tcp-listener.ts';

/** One address on which a Service listens. */
export interface Listen extends TcpAddress {
  /** The name of its port: '' where it has none. */
  readonly portName: string;
}

/** TCP ports of a Service with an address, and their node ports on this host. */
export function listensOf({ spec }: Service, nodeHost: string): readonly Listen[] {
  const { clusterIP: ip = 'None', ports = [] } = spec ?? {};
  if (ip === 'None' || ip === '') return [];
  return ports
    .filter(isTcp)
    .flatMap(({ name: portName = '', port, nodePort }) => [
      { host: ip, port, portName },
      ...(nodePort === undefined ? [] : [{ host: nodeHost, port: nodePort, portName }]),
    ]);
}

function isTcp({ protocol = 'TCP' }: ServicePort): boolean {
  return protocol === 'TCP';
}

/** The ready addresses behind a port, in the order of the Endpoints object. */
export function targetsOf(
  endpoints: Endpoints | undefined,
  portName: string,
): readonly TcpAddress[] {
  return (endpoints?.subsets ?? []).flatMap((subset) => targetsIn(subset, portName));
}

function targetsIn({ addresses = [], ports = [] }: EndpointSubset, portName: string): TcpAddress[] {
  const port = ports.find(({ name = '' }) => name === portName)?.port;
  return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }));
}
