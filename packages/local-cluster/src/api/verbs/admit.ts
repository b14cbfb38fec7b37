/** Passes a write to admission. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { AdmissionRequest, ObjectKind } from '../admission.ts';
import type { RequestScope } from '../context.ts';
import type { WriteOptions } from '../options.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly name: string;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  /** The kind of the reviewed object if it is not the resource's own: a Scale. */
  readonly objectKind?: ObjectKind;
}

export function admissionRequest(
  { definition, info, request, warnings }: RequestScope,
  write: AdmittedWrite,
): AdmissionRequest {
  return {
    ...write,
    definition,
    // A Namespace counts as inside itself, even before it exists.
    namespace: definition.storageName === 'namespaces' ? write.name : info.namespace,
    subresource: info.subresource,
    user: request.user,
    signal: request.signal,
    warn: (text) => {
      warnings.add(text);
    },
  };
}

export function optionsObject(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  { dryRun, fieldManager, fieldValidation, force }: WriteOptions,
): JsonObject {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(kind === 'PatchOptions' && force ? { force } : {}),
    fieldValidation,
  };
}
