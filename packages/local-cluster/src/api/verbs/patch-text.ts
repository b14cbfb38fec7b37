/** Parses the text of a patch, and finds the fields in it that a strict server refuses. */
import type { Json } from '../../../../../src/kube/object.ts';
import { duplicateFields } from '../../objects/decode-body.ts';
import { isJsonObject, isTooDeep } from '../../objects/patch/json-value.ts';
import { bareType } from '../media-type.ts';
import { badRequest, StatusError } from '../status.ts';

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const;

export type PatchType = (typeof PATCH_TYPES)[number];

/** The patch type of a change to an existing object; undefined for an apply and for unknown types. */
export function patchTypeOf(contentType: string | undefined): PatchType | undefined {
  return PATCH_TYPES.find((type) => type === bareType(contentType));
}

export function readPatch(text: string): Json {
  try {
    const patch = JSON.parse(text) as Json;
    if (isTooDeep(patch)) throw badRequest('error decoding patch: exceeded max depth');
    return patch;
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest('invalid JSON patch');
  }
}

/** Fields of an operation in a JSON patch. */
const OPERATION: readonly string[] = ['op', 'path', 'from', 'value'];

/**
 * The duplicate fields of a patch, and the unknown fields of a JSON patch, as texts for users. Unknown fields of the
 * other types are found in the patched object.
 */
export function faultsOfPatch(text: string, type: PatchType, patch: Json): readonly string[] {
  const duplicates = duplicateFields(text, patch).map(
    (path) => `duplicate field ${JSON.stringify(path)}`,
  );
  if (type !== 'application/json-patch+json' || !Array.isArray(patch)) return duplicates;
  const unknown = patch.flatMap((operation, index) =>
    Object.keys(isJsonObject(operation) ? operation : {})
      .filter((name) => !OPERATION.includes(name))
      .map((name) => `unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  );
  return [...duplicates, ...unknown].map((fault) => `json patch ${fault}`);
}
