/** The request that a webhook reviews. Its objects are in the version that the webhook's rules name. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { AdmissionRequest, ObjectKind } from '../admission.ts';
import { asServed, asStored } from '../context.ts';

export interface ReviewedRequest {
  /** Fields of the AdmissionReview request except the objects and `uid`; each call has its own uid. */
  readonly head: JsonObject;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly options: JsonObject | null;
  /** Resource and version in which the objects are sent. */
  readonly as: ResourceDefinition;
}

export function reviewedRequest(
  request: AdmissionRequest,
  as: ResourceDefinition,
): ReviewedRequest {
  const { definition, object, oldObject, options, subresource } = request;
  const sent = (one: JsonObject | null): JsonObject | null =>
    one === null ? null : converted(request, one, { from: definition, to: as });
  const sub = subresource === '' ? {} : { subResource: subresource };
  const requestSub = subresource === '' ? {} : { requestSubResource: subresource };
  return {
    head: {
      kind: kindOf(request, as),
      resource: resourceOf(as),
      ...sub,
      requestKind: kindOf(request, definition),
      requestResource: resourceOf(definition),
      ...requestSub,
      ...(request.name === '' ? {} : { name: request.name }),
      ...(request.namespace === '' ? {} : { namespace: request.namespace }),
      operation: request.operation,
      userInfo: { username: request.user.username, groups: [...request.user.groups] },
      dryRun: request.dryRun,
    },
    object: sent(object),
    oldObject: sent(oldObject),
    options,
    as,
  };
}

/** Converts an object between two versions. An object that belongs to a subresource is the same in all versions. */
export function converted(
  { objectKind }: Pick<AdmissionRequest, 'objectKind'>,
  object: JsonObject,
  { from, to }: { readonly from: ResourceDefinition; readonly to: ResourceDefinition },
): JsonObject {
  if (objectKind !== undefined || from === to) return object;
  return asServed(to, asStored(from, object));
}

function kindOf({ objectKind }: AdmissionRequest, definition: ResourceDefinition): JsonObject {
  const { group, version, kind }: ObjectKind = objectKind ?? definition;
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: ResourceDefinition): JsonObject {
  return { group, version, resource: plural };
}
