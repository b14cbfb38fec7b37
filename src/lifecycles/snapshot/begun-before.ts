/**
 * Recognises an object that has begun and has no status: a copy from a backup, which tools restore without its status, or
 * one whose status was removed. Pure.
 */
import type { KubeObject } from '../../kube/object.ts';
import type { Failure } from './app/failure.ts';
import { BEGUN_UID } from './names.ts';

export const BEGUN_BEFORE: Failure = {
  reason: 'BegunBefore',
  message: `This object has begun before, as its annotation ${BEGUN_UID} shows: it is a copy, for example from a backup, or its status was removed. Nothing runs again. Create a new object without this annotation.`,
};

/** undefined: it has not begun. Another UID: it is a copy. */
export function begunUid({ metadata }: KubeObject): string | undefined {
  return metadata?.annotations?.[BEGUN_UID];
}

export function begunMark({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return { [BEGUN_UID]: metadata?.uid ?? '' };
}
