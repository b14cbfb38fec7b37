/** The verbs that all kinds have in common, on objects and on their status. */
import type { Verb } from '../../objects/resource-definition.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { listAnswer, objectAnswer } from '../present.ts';
import { verbOf } from '../request-info.ts';
import { methodNotAllowed } from '../status.ts';
import { createObject } from './create.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete.ts';
import { getObject } from './get.ts';
import { listObjects } from './list.ts';
import { patchObject } from './patch.ts';
import { updateObject } from './update.ts';
import { watchObjects } from './watch.ts';

/** Of the object or collection that the path names. */
export async function serveVerb(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request, warnings } = scope;
  const verb = verbOf(request.method, info, request.query);
  if (verb === null || !definition.verbs.includes(verb)) throw methodNotAllowed();
  if (definition.namespaced && info.namespace === '' && !EVERYWHERE.has(verb)) {
    throw methodNotAllowed();
  }
  if (definition.inertWarning !== undefined && WRITES.has(verb)) {
    warnings.add(definition.inertWarning);
  }
  return VERBS[verb](scope);
}

/** Of all namespaces at once. */
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
