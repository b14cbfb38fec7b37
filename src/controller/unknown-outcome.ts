import { ApiError, UnreachableError } from '../kube/api-error.ts';
import { LifehookError } from '../model/problem.ts';

/**
 * Whether a write that failed so may have taken effect all the same. A server that answers 504 or 500
 * has given up on its own storage, and cannot tell either.
 */
export function isUnknown(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.sent;
  if (error instanceof ApiError) return error.code === 500 || error.code === 504;
  // Held back by us, before it was sent.
  if (error instanceof LifehookError) return false;
  // Not an answer at all: a bug, or a request that was called off half-way.
  return true;
}
