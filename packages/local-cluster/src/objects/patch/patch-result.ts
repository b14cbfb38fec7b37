import type { JsonObject } from '../../../../../src/kube/object.ts';

/**
 * The result of a patch. Neither the document nor the patch is changed; the object shares unchanged parts with both.
 */
export type PatchResult = { readonly kind: 'patched'; readonly object: JsonObject } | PatchFailure;

export interface PatchFailure {
  readonly kind: 'failed';
  /** The codes of a real API server: 413 for too many operations, 500 for a list item without its merge key. */
  readonly code: 400 | 413 | 415 | 422 | 500;
  readonly message: string;
}

/** The whole answer of a real server to a well-formed patch that does not fit the object. */
export const REJECTED: PatchFailure = {
  kind: 'failed',
  code: 422,
  message: 'the server rejected our request due to an error in our request',
};

export function patchFailure(code: PatchFailure['code'], message: string): PatchFailure {
  return { kind: 'failed', code, message };
}

/** Thrown deep inside a walk and caught by the function that started it: it never leaves this directory. */
export class PatchRefused extends Error {
  readonly failure: PatchFailure;

  constructor(failure: PatchFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function resultOf(make: () => JsonObject): PatchResult {
  try {
    return { kind: 'patched', object: make() };
  } catch (error) {
    if (error instanceof PatchRefused) return error.failure;
    throw error;
  }
}
