/**
 * Reads the response of a webhook: an AdmissionReview with the uid of the request.
 *
 * Errors in the response are reported with the texts of a real API server.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import {
  at,
  fieldsAt,
  isObject,
  objectAt,
  textAt,
  textsAt,
  numberAt,
} from '../../../../../src/kube/fields.ts';
import { isTooDeep, isJsonObject } from '../../objects/patch/json-value.ts';
import type { ReviewVersion } from './webhook.ts';
import { applyJsonPatch, MAX_COPIED_BYTES } from '../../objects/patch/json-patch.ts';
import { internalError, StatusError } from '../status.ts';

export interface ReviewAnswer {
  readonly allowed: boolean;
  /** Status of a refusal, as the webhook sent it; null if it sent none. */
  readonly status: JsonObject | null;
  /** The text of a JSON patch; '' for none. */
  readonly patch: string;
  readonly warnings: readonly string[];
}

export type ReadReview =
  | { readonly kind: 'read'; readonly answer: ReviewAnswer }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface Asked {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly mutating: boolean;
}

export function readReview(text: string, asked: Asked): ReadReview {
  let review: Json;
  try {
    review = JSON.parse(text) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return unreadable(
      `failed to call webhook: couldn't get version/kind; json parse error: ${why}`,
    );
  }
  if (!isObject(review) || isTooDeep(review)) {
    return unreadable('failed to call webhook: the answer is no AdmissionReview');
  }
  const response = objectAt(review, 'response');
  if (response === undefined) return invalid('webhook response was absent');
  if (asked.version === 'v1') {
    const fault = envelopeFault(review, response, asked) ?? patchFault(response, asked.mutating);
    if (fault !== undefined) return invalid(fault);
  }
  return readResponse(response);
}

const API_GROUP = 'admission.k8s.io';

function envelopeFault(
  review: JsonObject,
  response: JsonObject,
  { uid }: Asked,
): string | undefined {
  const answered = textAt(response, 'uid');
  if (answered !== uid) return `expected response.uid="${uid}", got "${answered}"`;
  const apiVersion = textAt(review, 'apiVersion');
  const kind = textAt(review, 'kind');
  if (apiVersion === `${API_GROUP}/v1` && kind === 'AdmissionReview') return undefined;
  const got = `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
  return `expected webhook response of ${API_GROUP}/v1, Kind=AdmissionReview, got ${got}`;
}

function patchFault(response: JsonObject, mutating: boolean): string | undefined {
  const patch = textAt(response, 'patch');
  const patchType = at(response, 'patchType');
  if (!mutating) {
    if (patch === '' && patchType === undefined) return undefined;
    const given = patch === '' ? 'patchType' : 'patch';
    return `validating webhook may not return response.${given}`;
  }
  if (patchType === undefined) {
    return patch === '' ? undefined : 'webhook returned response.patch but not response.patchType';
  }
  if (patch === '') return 'webhook returned response.patchType but not response.patch';
  return patchType === 'JSONPatch'
    ? undefined
    : `webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`;
}

function readResponse(response: JsonObject): ReadReview {
  const patch = decodePatch(textAt(response, 'patch'));
  if (patch === undefined) {
    return unreadable('failed to call webhook: response.patch is not base64');
  }
  const status = fieldsAt(response, 'status');
  const answer = {
    allowed: at(response, 'allowed') === true,
    status: Object.keys(status).length === 0 ? null : status,
    patch,
    warnings: textsAt(response, 'warnings'),
  };
  return { kind: 'read', answer };
}

/** Returns undefined if the text is not base64. */
function decodePatch(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.codePointAt(0) ?? 0);
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(why: string): ReadReview {
  return { kind: 'unreadable', why };
}

function invalid(why: string): ReadReview {
  return unreadable(`received invalid webhook response: ${why}`);
}

/** Lowest code of a refusal; it replaces a lower code of the webhook. */
const FIRST_ERROR_CODE = 400;

/** The error of a refusal, with the code, reason and details that the webhook sent. */
export function denial(webhook: string, status: JsonObject | null): StatusError {
  const code = numberAt(status ?? {}, 'code') ?? 0;
  const reason = textAt(status ?? {}, 'reason');
  const details = objectAt(status ?? {}, 'details');
  return new StatusError({
    code: code < FIRST_ERROR_CODE ? FIRST_ERROR_CODE : code,
    reason,
    message: denialMessage(webhook, textAt(status ?? {}, 'message') || reason),
    ...(details === undefined ? {} : { details }),
  });
}

function denialMessage(webhook: string, why: string): string {
  const denied = `admission webhook "${webhook}" denied the request`;
  return why === '' ? `${denied} without explanation` : `${denied}: ${why}`;
}

/** Throws if the patch is invalid or does not apply, whatever the failure policy is. */
export function patched(
  webhook: string,
  object: JsonObject | null,
  patch: string,
): JsonObject | null {
  const operations = readPatch(patch);
  if (operations.length === 0) return object;
  if (object === null) {
    throw internalError(
      `admission webhook "${webhook}" attempted to modify the object, which is not supported for this operation`,
    );
  }
  const progress = { applied: 0, copiedBytes: 0 };
  const result = applyJsonPatch(object, operations, progress);
  if (result.kind === 'patched') return result.object;
  const { applied, copiedBytes } = progress;
  if (copiedBytes > MAX_COPIED_BYTES) throw internalError(tooMuchCopied(copiedBytes));
  const failed = operations[applied];
  throw internalError(
    failed === undefined ? 'the patched object is nested too deep' : misfit(failed),
  );
}

function tooMuchCopied(bytes: number): string {
  return (
    'Unable to complete the copy, the accumulated size increase of patch is ' +
    `${bytes}, exceeding the limit ${MAX_COPIED_BYTES}`
  );
}

/** Maximum number of operations of one patch. */
const MAX_OPERATIONS = 10_000;

function readPatch(patch: string): Json[] {
  if (patch === '') return [];
  let value: Json;
  try {
    value = JSON.parse(patch) as Json;
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error));
  }
  if (value === null) return [];
  if (!Array.isArray(value)) {
    throw internalError(
      'json: cannot unmarshal the patch of a webhook: it must be a list of operations',
    );
  }
  if (value.length > MAX_OPERATIONS) {
    throw internalError(
      `a webhook's patch has ${value.length} operations, at most ${MAX_OPERATIONS}`,
    );
  }
  return value;
}

function misfit(operation: Json): string {
  const fields = isJsonObject(operation) ? operation : {};
  const path = textAt(fields, 'path');
  const from = textAt(fields, 'from');
  const op = textAt(fields, 'op');
  switch (op) {
    case 'add':
      return `add operation does not apply: doc is missing path: "${path}": missing value`;
    case 'replace':
      return `replace operation does not apply: doc is missing key: ${path}: missing value`;
    case 'remove':
      return `remove operation does not apply: doc is missing path: "${path}": missing value`;
    case 'test':
      return `testing value ${path} failed: test failed`;
    case 'move':
    case 'copy':
      return `${op} operation does not apply: doc is missing from path: ${from}: missing value`;
    default:
      return `Unexpected kind: ${op}`;
  }
}
