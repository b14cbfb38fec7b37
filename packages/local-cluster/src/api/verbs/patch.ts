/** Serves PATCH with its four patch types. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { applyJsonPatch } from '../../objects/patch/json-patch.ts';
import { applyMergePatch } from '../../objects/patch/merge-patch.ts';
import type { PatchFailure, PatchResult } from '../../objects/patch/patch-result.ts';
import { applyStrategicMerge } from '../../objects/patch/strategic-merge.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { bareType, unsupportedMediaType } from '../media-type.ts';
import { inNamespace, partOf } from '../object-meta.ts';
import { type FieldValidation, writeOptions } from '../options.ts';
import { objectAnswer } from '../present.ts';
import { decodeAs, refusedBody } from '../read-object.ts';
import { invalid, StatusError } from '../status.ts';
import { APPLY_TYPE, applyObject } from './apply.ts';
import { changeExisting } from './change-object.ts';
import { faultsOfPatch, type PatchType, patchTypeOf, readPatch } from './patch-text.ts';
import { requireOwnName } from './update.ts';

export async function patchObject(scope: RequestScope): Promise<ServerAnswer> {
  const contentType = scope.request.headers['content-type'];
  if (bareType(contentType) === APPLY_TYPE) return applyObject(scope);
  const patchType = patchTypeOf(contentType);
  if (patchType === undefined) throw unsupportedMediaType();
  const options = writeOptions(scope.request.query, 'PatchOptions');
  const patch = readPatch(scope.request.body);
  const patchFaults = faultsOfPatch(scope.request.body, patchType, patch);
  const changed = await changeExisting({
    scope,
    name: scope.info.name,
    options,
    optionsKind: 'PatchOptions',
    revise: async (old) =>
      readPatched(scope, applyPatch(scope.definition, { patchType, patch, document: old }), {
        patchFaults,
        fieldValidation: options.fieldValidation,
      }),
    part: partOf(scope.info),
  });
  return objectAnswer(scope, changed);
}

export interface Patching {
  readonly patchType: PatchType;
  readonly patch: Json;
  readonly document: JsonObject;
}

export function applyPatch(
  { type }: Pick<ResourceDefinition, 'type'>,
  { patchType, patch, document }: Patching,
): JsonObject {
  const result = resultOf(type, { patchType, patch, document });
  if (result.kind === 'patched') return result.object;
  throw refusedPatch(result);
}

function resultOf(
  type: ResourceDefinition['type'],
  { patchType, patch, document }: Patching,
): PatchResult {
  if (patchType === 'application/json-patch+json') return applyJsonPatch(document, patch);
  if (patchType === 'application/merge-patch+json') return applyMergePatch(document, patch);
  return applyStrategicMerge({ document, patch, type });
}

const REASONS: Readonly<Record<PatchFailure['code'], string>> = {
  400: 'BadRequest',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  500: '',
};

function refusedPatch({ code, message }: PatchFailure): StatusError {
  const text = code === 413 ? `Request entity too large: ${message}` : message;
  const failure = { code, reason: REASONS[code], message: text };
  return new StatusError(code === 422 ? { ...failure, details: {} } : failure);
}

/** Decodes the patched object like a body of the client. Errors name the patch. */
function readPatched(
  scope: RequestScope,
  patched: JsonObject,
  strictness: {
    readonly fieldValidation: FieldValidation;
    readonly patchFaults: readonly string[];
  },
): JsonObject {
  const { definition, info, warnings } = scope;
  const decoded = decodeAs(definition, {
    ...strictness,
    body: patched,
    text: scope.request.body,
  });
  if (decoded.kind === 'failed') {
    if (decoded.code !== 400) throw refusedBody(decoded);
    const value = JSON.stringify(patched);
    const error = {
      type: 'Invalid',
      field: 'patch',
      value,
      detail: decoded.why ?? decoded.message,
    } as const;
    throw invalid({ group: '', kind: '' }, '', [error]);
  }
  for (const warning of decoded.warnings) warnings.add(warning);
  const placed = inNamespace(decoded.object, definition.namespaced ? info.namespace : '');
  requireOwnName(placed, info.name);
  return placed;
}
