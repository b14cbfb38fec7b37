/** Requests of a subresource that has an object of its own, which is not stored: an eviction, a command. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ObjectKind } from '../admission.ts';
import type { RequestScope } from '../context.ts';
import { admissionRequest } from '../verbs/admit.ts';

export interface SubresourceObject extends Omit<ObjectKind, 'type'> {
  readonly operation: 'CREATE' | 'CONNECT';
  /** Without apiVersion and kind. */
  readonly fields: JsonObject;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
}

/** The object as it shall be; throws the refusal. */
export async function admitSubresource(
  scope: RequestScope,
  { operation, fields, options, dryRun, group, version, kind }: SubresourceObject,
): Promise<JsonObject> {
  const { admission } = scope.api;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const request = admissionRequest(scope, {
    operation,
    object: { ...fields, apiVersion, kind },
    oldObject: null,
    name: scope.info.name,
    options,
    dryRun,
    objectKind: { group, version, kind, type: { kind: 'any' } },
  });
  const object = await admission.mutate(request);
  await admission.validate({ ...request, object });
  return object;
}
