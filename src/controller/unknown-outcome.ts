import { ApiError, UnreachableError } from '../kube/api-error.ts';
import { LifehookError } from '../model/problem.ts';

/**
 * Whether a failed write may have taken effect. A server that answers 504 or 500 has failed to reach its own storage,
 * and does not know either.
 */
export function isUnknown(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.sent;
  if (error instanceof ApiError) return error.code === 500 || error.code === 504;
  // We refused it before it was sent.
  if (error instanceof LifehookError) return false;
  // No answer at all: a bug, or a request that was cancelled after it was sent.
  return true;
}
