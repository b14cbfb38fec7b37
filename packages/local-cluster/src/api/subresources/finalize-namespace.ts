import { fieldsAt, listAt, textAt } from '../../../../../src/kube/fields.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { writeOptions } from '../options.ts';
import { objectAnswer } from '../present.ts';
import { readObject } from '../read-object.ts';
import { conflict } from '../status.ts';
import { rewriteObject } from '../verbs/rewrite-object.ts';

/** Writes the finalizers of a namespace's spec, which no other request can change; without them it is deleted. */
export async function finalizeNamespace(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  const { dryRun, fieldValidation } = writeOptions(request.query, 'UpdateOptions');
  const given = await readObject(scope, fieldValidation);
  const asked = textAt(given, 'metadata', 'resourceVersion');
  const finalizers = [...listAt(given, 'spec', 'finalizers')];
  const finalized = await rewriteObject(scope, dryRun, (old) => {
    if (asked !== '' && asked !== textAt(old, 'metadata', 'resourceVersion')) {
      throw conflict(definition, info.name);
    }
    const { finalizers: _before, ...spec } = fieldsAt(old, 'spec');
    return { ...old, spec: finalizers.length === 0 ? spec : { ...spec, finalizers } };
  });
  return objectAnswer(scope, finalized);
}
