/** Passes a write to admission and to the store. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { storedBytes } from '../../../../../src/kube/stored-size.ts';
import { LifehookError } from '../../../../../src/model/problem.ts';
import type { StoreWrite, WriteResult } from '../../storage/object-store.ts';
import { MAX_OBJECT_BYTES } from '../../storage/open-store.ts';
import type { AdmissionRequest, ObjectKind } from '../admission.ts';
import type { RequestScope } from '../context.ts';
import type { WriteOptions } from '../options.ts';
import { StatusError, tooManyRequests } from '../status.ts';

export interface AdmittedWrite {
  readonly operation: AdmissionRequest['operation'];
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly name: string;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  /** Kind of the reviewed object, such as Scale; set only if it differs from the kind of the resource. */
  readonly objectKind?: ObjectKind;
}

export function admissionRequest(
  { definition, info, request, warnings }: RequestScope,
  write: AdmittedWrite,
): AdmissionRequest {
  return {
    ...write,
    definition,
    // In a request for a Namespace, the namespace is the name of that object, even before it exists.
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

/** Seconds after which a client should retry when the disk is too slow. */
const RETRY_AFTER_SECONDS = 1;

/** Writes to the store, and reports its errors as those of a real server. */
export async function storedWrite(
  { api, definition }: Pick<RequestScope, 'api' | 'definition'>,
  change: StoreWrite,
): Promise<WriteResult> {
  const { object } = change;
  // A real server limits the stored bytes. It stores a custom kind as JSON of Go, which escapes characters, and a
  // built-in kind as protobuf, which does not.
  const isJson = object !== null && definition.custom;
  if (isJson && storedBytes(object) > MAX_OBJECT_BYTES) throw tooLarge();
  try {
    return await api.store.write(change);
  } catch (error) {
    const code = error instanceof LifehookError ? error.problems[0]?.code : undefined;
    if (code === 'LHE010') {
      const message =
        'the server has received too many requests and has asked us to try again later';
      throw tooManyRequests(message, RETRY_AFTER_SECONDS);
    }
    if (code === 'LHE011') throw tooLarge();
    throw error;
  }
}

function tooLarge(): StatusError {
  return new StatusError({ code: 500, reason: '', message: 'etcdserver: request is too large' });
}
