/** The proxy for a server, from the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
import { LifehookError } from '../model/problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFromEnv(server: string, env: Environment): string | undefined {
  const { hostname, port, protocol } = new URL(server);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const upper = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const name = upper in env ? upper : upper.toLowerCase();
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
  return valueOf(env, 'NO_PROXY')
    .split(',')
    .some((rule) => excludes(rule.trim(), host, port));
}

export function isHttpProxy(url: string): boolean {
  return URL.canParse(url) && /^https?:/.test(url);
}

/** The URL for messages, without the user and the password that may be in front of its host. */
export function withoutCredentials(proxy: string): string {
  return proxy.replace(/[^/]*@/, '***@');
}

function valueOf(env: Environment, name: string): string {
  return env[name] ?? env[name.toLowerCase()] ?? '';
}

/** Whether the host is this machine, for which no proxy is used. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/**
 * Whether a rule of NO_PROXY matches the host. A rule is "*", a host, ".suffix" or "suffix" with all subdomains, an
 * address, or a CIDR range; with or without a port.
 */
function excludes(rule: string, host: string, port: string): boolean {
  if (rule === '*') return true;
  const range = /^(\d+\.\d+\.\d+\.\d+)\/(\d{1,2})$/.exec(rule);
  if (range !== null) return inRange(host, range[1] ?? '', Number(range[2]));
  const [, name = rule, rulePort = port] = /^([^:]*):(\d+)$/.exec(rule) ?? [];
  return rulePort === port && matches(name.toLowerCase(), host.toLowerCase());
}

function matches(name: string, host: string): boolean {
  const bare = name.replace(/^\*?\./, '');
  if (bare === '') return false;
  return host.endsWith(`.${bare}`) || (host === bare && !name.startsWith('.'));
}

function inRange(host: string, network: string, bits: number): boolean {
  const [address, base] = [addressOf(host), addressOf(network)];
  if (address === null || base === null || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(base / size);
}

function addressOf(text: string): number | null {
  const parts = text.split('.').map(Number);
  const valid = parts.length === 4 && parts.every((part) => part >= 0 && part <= 255);
  return valid ? parts.reduce((sum, part) => sum * 256 + part, 0) : null;
}
