/**
 * Finds the user of a bearer token.
 *
 * The administrator's token is permanent. A token of a service account is valid until it expires or this process exits.
 */
import type { Clock } from '../../../../src/platform/platform.ts';
import type { Randomness } from '../../../../src/platform/randomness.ts';
import type { UserInfo } from './http.ts';

/** Maximum number of issued tokens at a time; above it the oldest one is revoked early. */
const MAX_TOKENS = 1_000;

const TOKEN_BYTES = 32;

export interface IssuedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

export class TokenBook {
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #issued = new Map<string, { readonly user: UserInfo; readonly expiresAtMs: number }>();
  readonly #lasting: readonly { readonly token: string; readonly user: UserInfo }[];

  constructor(options: {
    readonly clock: Clock;
    readonly randomness: Randomness;
    readonly adminToken: string;
  }) {
    this.#clock = options.clock;
    this.#randomness = options.randomness;
    this.#lasting = [{ token: options.adminToken, user: ADMIN }];
  }

  issue(user: UserInfo, seconds: number): IssuedToken {
    const token = this.#randomness.hex(TOKEN_BYTES);
    const expiresAtMs = this.#clock.nowMs() + seconds * 1_000;
    this.#issued.set(token, { user, expiresAtMs });
    for (const oldest of this.#issued.keys()) {
      if (this.#issued.size <= MAX_TOKENS) break;
      this.#issued.delete(oldest);
    }
    return { token, expiresAtMs };
  }

  /** Returns null if the token is unknown or has expired. */
  whoIs(token: string): UserInfo | null {
    const lasting = this.#lasting.find((known) => sameText(known.token, token));
    if (lasting !== undefined) return lasting.user;
    const found = [...this.#issued].find(([known]) => sameText(known, token));
    if (found === undefined || found[1].expiresAtMs <= this.#clock.nowMs()) return null;
    return found[1].user;
  }
}

export const ADMIN: UserInfo = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

export function serviceAccountUser(namespace: string, name: string): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
  };
}

/** Compares in constant time, so that the duration does not reveal where the texts differ. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % Math.max(b.length, 1));
  }
  return difference === 0;
}
