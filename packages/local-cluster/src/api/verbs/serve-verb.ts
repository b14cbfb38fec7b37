/** Serves the verbs that all kinds share, for objects, their status and their resize. */
import type { Verb } from '../../objects/resource-definition.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { acceptedShape, listAnswer, objectAnswer, warningHeader } from '../present.ts';
import { verbOf } from '../request-info.ts';
import { failureAnswer, methodNotAllowed, StatusError } from '../status.ts';
import { createObject } from './create.ts';
import { deleteObject, removeObject, warnOfOrphans } from './delete.ts';
import { getObject } from '../read-object.ts';
import { listObjects } from './list.ts';
import { patchObject } from './patch.ts';
import { updateObject } from './update.ts';
import { watchObjects } from './watch.ts';
import { deleteOptions } from '../delete-options.ts';

/**
 * Deletes each selected object. The response has all selected objects as they were; it skips errors for those already
 * deleted.
 */
async function deleteCollection(scope: RequestScope): Promise<ServerAnswer> {
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

/** Serves the object or collection that the path names. */
export async function serveVerb(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  const verb = verbOf(request.method, info, request.query);
  if (verb === null || !definition.verbs.includes(verb)) throw methodNotAllowed();
  if (definition.namespaced && info.namespace === '' && !EVERYWHERE.has(verb)) {
    throw methodNotAllowed();
  }
  warn(scope, verb);
  try {
    // Before the verb: a request whose response the client cannot read must change nothing.
    acceptedShape(scope);
    return await VERBS[verb](scope);
  } catch (error) {
    if (error instanceof StatusError) return refusedAnswer(scope, error);
    throw error;
  }
}

function warn({ definition, warnings }: RequestScope, verb: Verb): void {
  const { deprecation, inertWarning } = definition;
  if (deprecation !== undefined) warnings.add(deprecation);
  if (inertWarning !== undefined && WRITES.has(verb)) warnings.add(inertWarning);
}

/** The error response, with the warnings so far. An error about a media type has no warnings. */
function refusedAnswer(
  { definition, warnings }: RequestScope,
  { failure }: StatusError,
): ServerAnswer {
  const answer = failureAnswer(failure);
  const isOfMedia = failure.code === 415 || failure.code === 406;
  if (isOfMedia && failure.details !== undefined) return answer;
  const reported = [...warnings].filter((warning) => warning !== definition.inertWarning);
  return { ...answer, headers: { ...answer.headers, ...warningHeader(new Set(reported)) } };
}

/** Verbs of a namespaced kind that may omit the namespace. */
const EVERYWHERE: ReadonlySet<Verb> = new Set<Verb>(['list', 'watch']);

const WRITES: ReadonlySet<Verb> = new Set<Verb>(['create', 'update', 'patch']);

const VERBS: Readonly<Record<Verb, (scope: RequestScope) => ServerAnswer | Promise<ServerAnswer>>> =
  {
    get: (scope) => objectAnswer(scope, getObject(scope)),
    list: (scope) => listAnswer(scope, listObjects(scope)),
    watch: watchObjects,
    create: async (scope) => objectAnswer(scope, await createObject(scope), 201),
    update: updateObject,
    patch: patchObject,
    delete: deleteObject,
    deletecollection: deleteCollection,
  };
