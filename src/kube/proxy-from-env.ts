/** The proxy for a server, from the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function proxyFromEnv(server: string, env: Environment): string | undefined {
  const { hostname, port, protocol } = new URL(server);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = valueOf(env, name);
  if (proxy === '' || isLocal(host)) return undefined;
  const rules = valueOf(env, 'NO_PROXY').split(',');
  const effectivePort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (rules.some((rule) => excludes(rule.trim(), host, effectivePort))) return undefined;
  return /^[a-z0-9+.-]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function valueOf(env: Environment, name: string): string {
  return env[name] ?? env[name.toLowerCase()] ?? '';
}

/** Addresses of this machine never use a proxy. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** "*", a host, ".suffix" or "suffix" with all subdomains, an address, or a CIDR range; with or without a port. */
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
