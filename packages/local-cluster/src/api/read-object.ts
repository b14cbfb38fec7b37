/**
 * Reads request bodies as objects of the kind that the path names.
 *
 * With fieldValidation Warn, unknown and duplicate fields become warnings.
 */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { type DecodeFailure, decodeObject } from '../objects/decode.ts';
import { parseBody } from '../objects/decode-body.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import { type RequestScope, addressOf, asServed } from './context.ts';
import { bareType } from './media-type.ts';
import type { FieldValidation } from './options.ts';
import { decodeProtobuf, PROTOBUF_TYPE } from './protobuf/decode-protobuf.ts';
import { badRequest, StatusError, notFound } from './status.ts';
import { readRevision, refuseFuture } from './list-options.ts';

export async function readObject(
  scope: RequestScope,
  fieldValidation: FieldValidation,
): Promise<JsonObject> {
  const { definition, request, warnings } = scope;
  const { body, duplicates } = await readJson(scope, request.headers['content-type'] ?? '');
  const decoded = decodeAs(definition, { body, text: request.body, duplicates, fieldValidation });
  if (decoded.kind === 'failed') throw refusedBody(decoded);
  for (const warning of decoded.warnings) warnings.add(warning);
  return decoded.object;
}

interface BodyToDecode {
  readonly body: Json;
  readonly text?: string;
  readonly duplicates?: readonly string[];
  readonly patchFaults?: readonly string[];
  readonly fieldValidation: FieldValidation;
}

export function decodeAs(
  { group, errorGroup = group, version, kind, type }: ResourceDefinition,
  body: BodyToDecode,
): ReturnType<typeof decodeObject> {
  return decodeObject({ ...body, group, errorGroup, version, kind, type });
}

export async function readJson(
  { definition, request }: Pick<RequestScope, 'definition' | 'request'>,
  contentType: string,
): Promise<{ readonly body: Json; readonly duplicates: readonly string[] }> {
  if (bareType(contentType) === PROTOBUF_TYPE) {
    return { body: readProtobuf(request.body), duplicates: [] };
  }
  const parsed = await parseBody(request.body, contentType, definition.kind);
  if (parsed.kind === 'failed') throw refusedBody(parsed);
  return parsed;
}

/** Decodes a protobuf body, which `body` holds as one character per byte. */
export function readProtobuf(body: string): JsonObject {
  const decoded = decodeProtobuf(Uint8Array.from(body, (character) => character.charCodeAt(0)));
  if (decoded.kind === 'decoded') return decoded.object;
  throw badRequest(`the object provided is unrecognized: ${decoded.why}`);
}

export function refusedBody({ code, reason, message }: DecodeFailure): StatusError {
  return new StatusError({ code, reason, message });
}

/** Returns the stored object. Throws if the server has not reached the requested revision. */
export function getObject(scope: RequestScope): JsonObject {
  const { api, definition, info, request } = scope;
  const revision = readRevision(request.query.get('resourceVersion') ?? '');
  if (revision !== undefined) refuseFuture(revision, api.store.revision);
  const found = api.store.get(addressOf(scope, info.name));
  if (found === undefined) throw notFound(definition, info.name);
  return asServed(definition, found.object);
}
