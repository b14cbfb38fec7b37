import type { KubeObject } from './object.ts';

/**
 * What is left of an object after a request to delete it: null when it is gone. Servers answer for most
 * kinds with a Status when it is, but for some (pods, claims) with its last state.
 */
export function remainsOf<T extends KubeObject>(answer: T): T | null {
  if (answer.kind === 'Status') return null;
  const {
    deletionTimestamp,
    deletionGracePeriodSeconds = 0,
    finalizers = [],
  } = answer.metadata ?? {};
  if (deletionTimestamp === undefined) return null;
  return deletionGracePeriodSeconds === 0 && finalizers.length === 0 ? null : answer;
}
