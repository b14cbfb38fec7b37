import { InvalidArgumentError } from 'commander';

import type { TcpAddress } from '../../platform/tcp-listener.ts';

const HIGHEST_PORT = 65_535;

/** An address to listen on: "127.0.0.1:9464", "0.0.0.0:8443", "[::]:8443". */
export function parseListenAddress(text: string): TcpAddress {
  const match = /^(?:\[(?<six>[0-9a-f:]+)\]|(?<four>[\d.]+|localhost)):(?<port>\d{1,5})$/u.exec(
    text,
  );
  const { six, four, port = '' } = match?.groups ?? {};
  const host = six ?? four;
  if (host === undefined || Number(port) > HIGHEST_PORT) {
    throw new InvalidArgumentError(
      'An address and a port are required, such as 127.0.0.1:9464, 0.0.0.0:8443 or [::]:8443.',
    );
  }
  return { host, port: Number(port) };
}
