/** A collection, whole or in pages of one revision. */
import type { StoredObject } from '../../storage/object-store.ts';
import { keyOf } from '../../storage/object-table.ts';
import type { RequestScope } from '../context.ts';
import { type ListPlace, readToken, writeToken } from '../continue-token.ts';
import { type ListOptions, listOptions, refuseFuture } from '../list-options.ts';
import type { ObjectPage } from '../present.ts';
import { readSelection, type Selection } from '../selection.ts';
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
  /** Undefined: from the start. */
  readonly afterKey?: string;
}

function momentOf(scope: RequestScope, options: ListOptions): Moment {
  const { store } = scope.api;
  const { storageName } = scope.definition;
  if (options.continueToken !== '') return continuation(scope, options);
  const { revision } = options;
  if (revision !== undefined) refuseFuture(revision, store.revision);
  // As old servers have it: a page of a given revision is of exactly that.
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
