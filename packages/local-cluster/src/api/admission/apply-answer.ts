/** What a webhook's answer does to the request: a refusal, or a patched object. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { numberAt, objectAt, textAt } from '../../../../../src/kube/fields.ts';
import { applyJsonPatch } from '../../objects/patch/json-patch.ts';
import { isJsonObject } from '../../objects/patch/json-value.ts';
import { internalError, StatusError } from '../status.ts';

const FIRST_ERROR_CODE = 400;

/** Code, reason and details are the webhook's. */
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

/** A patch that is none, or does not fit, is an error whatever the failure policy says. */
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
  let document = object;
  for (const operation of operations) {
    const result = applyJsonPatch(document, [operation]);
    if (result.kind === 'failed') throw internalError(misfit(operation));
    document = result.object;
  }
  return document;
}

/** Operations of one patch. */
const MAX_OPERATIONS = 10_000;

function readPatch(patch: string): readonly Json[] {
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
      'json: cannot unmarshal the patch of a webhook: it is no list of operations',
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
