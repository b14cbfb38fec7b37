/**
 * Grants access to a timeline to a client that has opened a link signed with its key. Links and cookies are signed and
 * stateless. So every process that can read the key can create a link, and a cookie outlives a restart.
 *
 *  TIME-A1 A link is valid once, for ten minutes, and not after a restart of the server, which does not know which
 *     links were opened before it.
 *  TIME-A2 A request must name this machine as its host. A foreign host name is rejected, even if it resolves to
 *     this machine, and so is a page of another origin.
 *  TIME-A3 Read-only: no request changes anything.
 */
import { hmacSha256, isSameSecret } from '../platform/digests.ts';
import type { RequestHead } from '../platform/http-server.ts';
import type { Clock } from '../platform/platform.ts';

export const LINK_MS = 600_000;
/** Validity of a cookie, milliseconds: one day, which is longer than an incident. After that a new link is needed. */
const COOKIE_MS = 86_400_000;
/** Maximum number of opened links that have not expired. */
const MAX_OPENED = 1_000;
const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const COOKIE = 'lifehook-timeline';
const RADIX = 36;

export interface LinkOptions {
  /** A value that no other link has; URL-safe, without a dot. */
  readonly nonce: string;
  readonly nowMs: number;
}

/** The path of a link that is valid once. */
export function linkPath(key: string, { nonce, nowMs }: LinkOptions): string {
  const said = `${(nowMs + LINK_MS).toString(RADIX)}.${nonce}`;
  return `/login?token=${said}.${proof(key, 'link', said)}`;
}

export interface AccessOptions {
  /** A random secret of at least 32 hexadecimal digits. */
  readonly key: string;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

export class Access {
  readonly #options: AccessOptions;
  /** The start of the server by each clock, milliseconds. */
  readonly #started: { readonly wallMs: number; readonly monotonicMs: number };
  /** Times at which the opened links expire, by nonce. */
  readonly #opened = new Map<string, number>();

  constructor(options: AccessOptions) {
    this.#options = options;
    const { clock } = options;
    this.#started = { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
  }

  /** The header `Set-Cookie` for a client with this token; null: the token is invalid, used or expired. */
  open(token: string, headers: RequestHead['headers']): string | null {
    const { key, clock } = this.#options;
    const nowMs = clock.nowMs();
    const [expires = '', nonce = '', given = ''] = token.split('.');
    const isMeant = isSameSecret(proof(key, 'link', `${expires}.${nonce}`), given);
    const expiresMs = Number.parseInt(expires, RADIX);
    const createdMs = expiresMs - LINK_MS;
    // A link of the future is one from before the clock was set back.
    const isCurrent =
      expiresMs >= nowMs && createdMs <= nowMs && createdMs >= this.#startedMs(nowMs);
    if (!isMeant || !isCurrent || this.#opened.has(nonce)) return null;
    this.#dropExpired(nowMs);
    if (this.#opened.size >= MAX_OPENED) return null;
    this.#opened.set(nonce, expiresMs);
    const until = (nowMs + COOKIE_MS).toString(RADIX);
    const value = `${until}.${proof(key, 'cookie', until)}`;
    return `${cookieName(headers)}=${value}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether the request has a valid cookie that has not expired. */
  isKnown(headers: RequestHead['headers']): boolean {
    const { key, clock } = this.#options;
    const prefix = `${cookieName(headers)}=`;
    const cookies = (headers['cookie'] ?? '').split(';').map((cookie) => cookie.trim());
    return cookies
      .filter((cookie) => cookie.startsWith(prefix))
      .map((cookie) => cookie.slice(prefix.length))
      .some((value) => {
        const [until = '', given = ''] = value.split('.');
        const isOurs = isSameSecret(proof(key, 'cookie', until), given);
        return isOurs && Number.parseInt(until, RADIX) >= clock.nowMs();
      });
  }

  /**
   * The start of the server in milliseconds of the wall clock, which may have been set back since. The monotonic clock
   * alone would be wrong too: it may stop while the machine is suspended.
   */
  #startedMs(nowMs: number): number {
    const { wallMs, monotonicMs } = this.#started;
    return Math.min(wallMs, nowMs - (this.#options.clock.monotonicMs() - monotonicMs));
  }

  #dropExpired(nowMs: number): void {
    for (const [nonce, expiresMs] of this.#opened) {
      if (expiresMs < nowMs) this.#opened.delete(nonce);
    }
  }
}

/** The reason to reject a request, whatever its client (TIME-A2); null: there is none. */
export function refusedOrigin({ headers }: Pick<RequestHead, 'headers'>): string | null {
  const { host = '', origin } = headers;
  if (!LOCAL_HOSTS.includes(host.replace(/:\d+$/, ''))) {
    return `use one of the hosts ${LOCAL_HOSTS.join(', ')}`;
  }
  if (origin !== undefined && origin !== `http://${host}`)
    return 'pages of other sites may not read it';
  return null;
}

/** The name contains the port: browsers send a cookie to all ports, and this machine may have several timelines. */
function cookieName({ host = '' }: RequestHead['headers']): string {
  return `${COOKIE}-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

function proof(key: string, use: 'link' | 'cookie', said: string): string {
  return hmacSha256(key, `lifehook timeline ${use} ${said}`);
}
