/** The administrator's list of hosts, besides the hooked pod, that `httpGet` and `tcpSocket` may reach. Pure. */
import { addressBytes, isInRange } from './refused-address.ts';
import { LifehookError } from '../model/problem.ts';

/** Whether the list contains a host as it is written in a hook. */
export type IsAllowedHost = (host: string) => boolean;

/** Used when the administrator has given no list. */
export const noOtherHost: IsAllowedHost = () => false;

/**
 * Parses the list of allowed hosts. Each entry is a name, "*.name", an address or a range ("10.0.0.0/8"). Throws LHK107
 * for anything else.
 */
export function allowedHosts(entries: readonly string[]): IsAllowedHost {
  const matchers = entries.map(requireMatcher);
  return (host) => {
    const name = host.toLowerCase().replace(/\.$/u, '');
    return matchers.some((matches) => matches(name));
  };
}

function requireMatcher(entry: string): IsAllowedHost {
  const matcher = matcherOf(entry);
  if (matcher !== null) return matcher;
  throw new LifehookError({
    code: 'LHK107',
    message: `--allow-hook-host ${JSON.stringify(entry)} is no host: a name, *.name, an IP address or a range such as 10.0.0.0/8 is required.`,
    next: 'Write the host as hooks name it, without a scheme, a port or a path.',
  });
}

/** "*" must be followed by a label, so that no entry allows every name. */
const NAME = /^(?:\*\.)?[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*$/u;

function matcherOf(entry: string): IsAllowedHost | null {
  const text = entry.toLowerCase().replace(/\.$/u, '');
  const range = rangeOf(text);
  if (range !== null) return range;
  // Resolvers read a name that ends in a number as an address.
  if (!NAME.test(text) || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u.test(text)) return null;
  if (text.startsWith('*.')) return (name) => name.endsWith(text.slice(1));
  return (name) => name === text;
}

function rangeOf(text: string): IsAllowedHost | null {
  const [address = '', length, ...more] = text.split('/');
  const prefix = addressBytes(address);
  if (prefix === null || more.length > 0) return null;
  const most = prefix.length * 8;
  const bits = length === undefined ? most : Number(length);
  if (length !== undefined && (!/^\d{1,3}$/u.test(length) || bits > most)) return null;
  return (name) => {
    const bytes = addressBytes(name);
    return bytes !== null && isInRange(bytes, prefix, bits);
  };
}
