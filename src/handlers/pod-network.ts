/**
 * The network for hooks of the controllers: it allows the hooked pod, and hosts that the administrator has allowed. The
 * addresses of such hosts are checked when they are resolved. The body of a response is not read.
 */
import type { Network } from '../platform/platform.ts';
import { posixError } from '../platform/posix-error.ts';
import { addressBytes, isInRange, whyRefusedAddress } from './refused-address.ts';

export interface PodNetworkOptions {
  /** Address of the hooked pod; not checked, since it comes from the API server. */
  readonly podAddress: string;
  readonly isAllowedHost: (host: string) => boolean;
}

/** Resolves a name only once, and connects to the address that was checked. */
export function podNetwork(network: Network, options: PodNetworkOptions): Network {
  return {
    httpGet: async (request) => {
      const { hostname } = new URL(request.url);
      const judging = judgingOf(hostname.replace(/^\[(.*)\]$/u, '$1'), options);
      return network.httpGet({ ...request, ...judging, bodyLimitBytes: 0 });
    },
    tcpConnect: async (target) =>
      network.tcpConnect({ ...target, ...judgingOf(target.host, options) }),
  };
}

type Judging = Pick<Parameters<Network['httpGet']>[0], 'whyRefused'>;

function judgingOf(host: string, { podAddress, isAllowedHost }: PodNetworkOptions): Judging {
  if (isSameAddress(host, podAddress)) return {};
  if (isAllowedHost(host)) return { whyRefused: whyRefusedAddress };
  throw posixError('EACCES', hostNotAllowed(host));
}

function isSameAddress(host: string, address: string): boolean {
  const [one, other] = [addressBytes(host), addressBytes(address)];
  return one !== null && other !== null && isInRange(one, other, other.length * 8);
}

/** The reason for the refusal. A hook that is refused before it begins has the same message. */
export function hostNotAllowed(host: string): string {
  return (
    `the host ${host} is not the pod's own, and the administrator has not allowed it: ` +
    'leave `host` out, or run the controllers with --allow-hook-host'
  );
}
