/** The annotations that say how a snapshot was cut: on its content, and copied from there onto the snapshot. */
import { ATOMIC, ATOMIC_REASON } from '../../../../src/kube/snapshots.ts';
import { METHOD } from './kinds.ts';
import type { Cut } from './storage/ways.ts';

export const MARKS: readonly string[] = [METHOD, ATOMIC, ATOMIC_REASON];

export function marksOf({ method, atomic, reason }: Cut): Record<string, string> {
  return { [METHOD]: method, [ATOMIC]: String(atomic), [ATOMIC_REASON]: reason };
}
