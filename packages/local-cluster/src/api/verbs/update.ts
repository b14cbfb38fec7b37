/** PUT: replaces the whole object. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { textAt } from '../../../../../src/kube/fields.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { kindBehaviour } from '../kind-behaviour.ts';
import { inNamespace, partOf } from '../object-meta.ts';
import { writeOptions } from '../options.ts';
import { objectAnswer } from '../present.ts';
import { readObject } from '../read-object.ts';
import { badRequest, notFound } from '../status.ts';
import { changeObject } from './change-object.ts';
import { createGiven } from './create.ts';

export async function updateObject(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  const options = writeOptions(request.query, 'UpdateOptions');
  const given = await readObject(scope, options.fieldValidation);
  requireOwnName(inNamespace(given, definition.namespaced ? info.namespace : ''), info.name);
  const optionsKind = 'UpdateOptions';
  const changed = await changeObject({
    scope,
    name: info.name,
    options,
    optionsKind,
    revise: () => Promise.resolve(given),
    part: partOf(info),
  });
  if (changed !== undefined) return objectAnswer(scope, changed);
  if (info.subresource !== '' || !kindBehaviour(definition).createdByUpdate) {
    throw notFound(definition, info.name);
  }
  return objectAnswer(scope, await createGiven(scope, given, { options, optionsKind }), 201);
}

export function requireOwnName(object: JsonObject, name: string): void {
  const own = textAt(object, 'metadata', 'name');
  if (own === name) return;
  throw badRequest(
    own === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${own}) does not match the name on the URL (${name})`,
  );
}
