/** Where a list goes on: after which object, at which revision. Opaque to clients. */
import { badRequest } from './status.ts';

export interface ListPlace {
  /** null: at the latest, inconsistently, since the one of the first page is no longer known. */
  readonly revision: number | null;
  /** Everything up to and with this key was told. */
  readonly afterKey: string;
}

const VERSION = 'meta.k8s.io/v1';

/** As real servers mark a place that goes on at the latest revision. */
const LATEST = -1;

export function writeToken({ revision, afterKey }: ListPlace): string {
  const text = JSON.stringify({ v: VERSION, rv: revision ?? LATEST, start: `${afterKey}\u0000` });
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export function readToken(token: string): ListPlace {
  const place = decode(token);
  if (place['v'] !== VERSION) {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version ${String(place['v'])}`,
    );
  }
  const { rv, start } = place;
  if (typeof rv !== 'number' || rv === 0) {
    throw badRequest(
      `invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version ${VERSION})`,
    );
  }
  if (typeof start !== 'string' || start === '') {
    throw badRequest(
      `invalid continue token: continue key is not valid: encoded start key empty (version ${VERSION})`,
    );
  }
  const revision = rv === LATEST ? null : rv;
  return { revision, afterKey: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}

function decode(token: string): Readonly<Record<string, unknown>> {
  try {
    const bytes = Uint8Array.from(
      atob(token.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below, for whatever reason it is no token.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}
