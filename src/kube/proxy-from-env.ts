/** The proxy for a server, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or from these names in small letters. */
import { LifehookError } from '../model/problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFromEnv(server: string, env: Environment): string | undefined {
  const { hostname, port, protocol } = new URL(server);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const upper = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const name = setName(env, upper);
  const proxy = env[name] ?? '';
  const effectivePort = port === '' ? (isSecure ? '443' : '80') : port;
  if (proxy === '' || isReachedDirectly(host, effectivePort, env)) return undefined;
  const url = /^[a-z0-9+.-]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  if (isHttpProxy(url)) return url;
  throw new LifehookError({
    code: 'LHK008',
    message: `A proxy is reached over http or https; $${name} is "${withoutCredentials(proxy)}".`,
    next: `Set it to an HTTP proxy, or add ${host} to NO_PROXY.`,
  });
}

function isReachedDirectly(host: string, port: string, env: Environment): boolean {
  if (isLocal(host)) return true;
  return (env[setName(env, 'NO_PROXY')] ?? '')
    .split(',')
    .some((rule) => excludes(rule.trim(), host, port));
}

export function isHttpProxy(url: string): boolean {
  return URL.canParse(url) && /^https?:/.test(url);
}

/**
 * The URL for messages, without the user and the password that may be in front of its host. A password that is not
 * encoded may contain a "/".
 */
export function withoutCredentials(proxy: string): string {
  return proxy.replace(/^([a-z0-9+.-]+:\/\/)?.*@/i, '$1***@');
}

/**
 * The name of the variable, in capitals or else in small letters. As in kubectl, an empty variable counts as absent.
 */
function setName(env: Environment, name: string): string {
  return (env[name] ?? '') === '' ? name.toLowerCase() : name;
}

/** Whether the host is this machine, for which no proxy is used. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/**
 * Whether a rule of NO_PROXY matches the host. A rule is "*", a host with all its subdomains, ".suffix" or "*.suffix"
 * for the subdomains alone, an address, or a CIDR range; all but the range may have a port. An IPv6 address with a port
 * is in brackets.
 */
function excludes(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true;
  const [, network = '', bits] = /^(.+)\/(\d{1,3})$/.exec(rule) ?? [];
  if (bits !== undefined) return inRange(host, network, Number(bits));
  const [, inner = '', outer = '', rulePort = port] = WITH_PORT.exec(rule) ?? ['', '', rule];
  return rulePort === port && matches(`${inner}${outer}`.toLowerCase(), host.toLowerCase());
}

const WITH_PORT = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/;

function matches(name: string, host: string): boolean {
  const address = addressBits(name);
  if (address !== null) return address === addressBits(host);
  const bare = name.replace(/^\*?\./, '');
  if (bare === '') return false;
  return host.endsWith(`.${bare}`) || host === name;
}

function inRange(host: string, network: string, bits: number): boolean {
  const [address, base] = [addressBits(host), addressBits(network)];
  if (address === null || base === null) return false;
  if (address.length !== base.length || bits > base.length) return false;
  return address.slice(0, bits) === base.slice(0, bits);
}

/** The binary digits of an address: 32 for IPv4, 128 for IPv6; null: the text is no address. */
function addressBits(text: string): string | null {
  if (!text.includes(':')) {
    const parts = text.split('.');
    const valid = parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && +part <= 255);
    return valid ? parts.map((part) => digits(Number(part), 8)).join('') : null;
  }
  const url = `http://[${text}]`;
  if (!URL.canParse(url)) return null;
  const [start = [], end = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: IPV6_GROUPS - start.length - end.length }, () => '0');
  return [...start, ...zeros, ...end].map((group) => digits(parseInt(group, 16), 16)).join('');
}

const IPV6_GROUPS = 8;

function digits(value: number, length: number): string {
  return value.toString(2).padStart(length, '0');
}
