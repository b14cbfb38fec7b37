/**
 * Recognises an object that has begun and has no status. Pure.
 *
 * It is a copy from a backup, which tools restore without its status, or its status was removed.
 */
import type { KubeObject } from '../../kube/object.ts';
import type { Failure } from './app/failure.ts';
import { BEGUN_UID } from './names.ts';

export const BEGUN_BEFORE: Failure = {
  reason: 'BegunBefore',
  message: `This object was started before, as its annotation ${BEGUN_UID} shows: it is a copy, for example from a backup, or its status was removed. Nothing runs again. Create a new object without this annotation.`,
};

/** The UID that an object recorded when it began; undefined: it has not begun. A copy has another UID than this one. */
export function begunUid({ metadata }: KubeObject): string | undefined {
  return metadata?.annotations?.[BEGUN_UID];
}

export function begunMark({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return { [BEGUN_UID]: metadata?.uid ?? '' };
}
