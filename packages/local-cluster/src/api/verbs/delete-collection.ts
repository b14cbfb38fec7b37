/** Every object of a collection that the request selects, one after the other. */
import type { RequestScope } from '../context.ts';
import { deleteOptions } from '../delete-options.ts';
import type { ServerAnswer } from '../http.ts';
import { listAnswer } from '../present.ts';
import { StatusError } from '../status.ts';
import { listObjects } from './list.ts';
import { removeObject, warnOfOrphans } from './delete.ts';

/** Answers with the objects as they were. One that somebody else removes meanwhile is none of ours. */
export async function deleteCollection(scope: RequestScope): Promise<ServerAnswer> {
  const { api, definition, info, request } = scope;
  const options = deleteOptions(request);
  const page = listObjects(scope);
  warnOfOrphans(scope, options);
  for (const object of page.objects) {
    const metadata = object['metadata'] as { name: string; namespace?: string };
    const namespace = metadata.namespace ?? '';
    const address = { resource: definition.storageName, namespace, name: metadata.name };
    const of = { ...scope, info: { ...info, namespace } };
    await removeObject(of, address, options).catch((error: unknown) => {
      if (!(error instanceof StatusError) || error.failure.code !== 404) throw error;
    });
  }
  const listMeta = { ...page.listMeta, resourceVersion: String(api.store.revision) };
  return listAnswer(scope, { objects: page.objects, listMeta });
}
