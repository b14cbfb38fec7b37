/** Lists a collection, completely or in pages of one revision. */
import type { StoredObject } from '../../storage/object-store.ts';
import { keyOf } from '../../storage/object-table.ts';
import type { RequestScope } from '../context.ts';
import {
  type ListOptions,
  listOptions,
  refuseFuture,
  readSelection,
  type Selection,
} from '../list-options.ts';
import type { ObjectPage } from '../present.ts';
import { badRequest, expired } from '../status.ts';

export function listObjects(scope: RequestScope): ObjectPage {
  const options = listOptions(scope.request.query);
  const selection = readSelection(scope);
  const { revision, list, afterKey } = momentOf(scope, options);
  const matching = select(list, selection, afterKey);
  const { limit = matching.length } = options;
  const page = matching.slice(0, limit);
  const last = page.at(-1);
  const left = matching.length - page.length;
  const more = left > 0 && last !== undefined;
  return {
    objects: page.map(({ object }) => object),
    listMeta: {
      resourceVersion: String(revision),
      ...(more ? { continue: writeToken({ revision, afterKey: keyOf(last.address) }) } : {}),
      ...(more && selection.everything ? { remainingItemCount: left } : {}),
    },
  };
}

interface Moment {
  readonly revision: number;
  readonly list: readonly StoredObject[];
  /** Key of the last object of the page before; undefined for the first page. */
  readonly afterKey?: string;
}

function momentOf(scope: RequestScope, options: ListOptions): Moment {
  const { store } = scope.api;
  const { storageName } = scope.definition;
  if (options.continueToken !== '') return continuation(scope, options);
  const { revision } = options;
  if (revision !== undefined) refuseFuture(revision, store.revision);
  // As in kube-apiserver: a page at a given revision, without resourceVersionMatch, shows exactly that revision.
  const exact = options.match === 'Exact' || (options.match === '' && options.limit !== undefined);
  if (revision === undefined || revision === 0 || !exact) {
    return { revision: store.revision, list: store.list(storageName) };
  }
  const list = store.listAt(storageName, revision);
  if (list === undefined) throw expired('The resourceVersion for the provided list is too old.');
  return { revision, list };
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a ' +
  'new list without the continue parameter, or use the continue token in this response to retrieve ' +
  'the remainder of the results. Continuing with the provided token results in an inconsistent list ' +
  '- objects that were created, modified, or deleted between the time the first chunk was returned ' +
  'and now may show up in the list.';

function continuation({ api, definition }: RequestScope, options: ListOptions): Moment {
  const { store } = api;
  const place: ListPlace = readToken(options.continueToken);
  if (options.revision !== undefined && options.revision !== 0) {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const { afterKey } = place;
  if (place.revision === null) {
    return { revision: store.revision, list: store.list(definition.storageName), afterKey };
  }
  const list = store.listAt(definition.storageName, place.revision);
  if (list === undefined) throw expired(TOO_OLD, writeToken({ revision: null, afterKey }));
  return { revision: place.revision, list, afterKey };
}

function select(
  list: readonly StoredObject[],
  { namespace, everything, matches }: Selection,
  afterKey: string | undefined,
): readonly StoredObject[] {
  if (namespace === undefined && everything && afterKey === undefined) return list;
  return list.filter(
    ({ address, object }) =>
      (namespace === undefined || address.namespace === namespace) &&
      (afterKey === undefined || keyOf(address) > afterKey) &&
      (everything || matches(object)),
  );
}

/**
 * Content of a continue token: the revision of the list, and the last object that was returned. Clients must not read
 * it.
 */
interface ListPlace {
  /**
   * Revision of the first page; null if it has expired: then the list continues at the latest revision, which is
   * inconsistent.
   */
  readonly revision: number | null;
  /** Key of the last object that was returned. */
  readonly afterKey: string;
}

const VERSION = 'meta.k8s.io/v1';

/** Revision in a token that continues at the latest revision, as on a real server. */
const LATEST = -1;

function writeToken({ revision, afterKey }: ListPlace): string {
  const text = JSON.stringify({ v: VERSION, rv: revision ?? LATEST, start: `${afterKey}\u0000` });
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function readToken(token: string): ListPlace {
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
    // A token that is not base64 or not JSON is reported below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}
