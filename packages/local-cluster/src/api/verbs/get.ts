import type { JsonObject } from '../../../../../src/kube/object.ts';
import { addressOf, asServed, type RequestScope } from '../context.ts';
import { readRevision, refuseFuture } from '../list-options.ts';
import { notFound } from '../status.ts';

/**
 * One object as it is now, which is never older than the revision that is asked for. `missing`: what is
 * said not to be there.
 */
export function getObject(
  scope: RequestScope,
  missing: Parameters<typeof notFound>[0] = scope.definition,
): JsonObject {
  const { api, definition, info, request } = scope;
  const revision = readRevision(request.query.get('resourceVersion') ?? '');
  if (revision !== undefined) refuseFuture(revision, api.store.revision);
  const found = api.store.get(addressOf(scope, info.name));
  if (found === undefined) throw notFound(missing, info.name);
  return asServed(definition, found.object);
}
