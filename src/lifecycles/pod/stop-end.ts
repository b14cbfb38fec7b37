import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Clock } from '../../platform/platform.ts';
import { graceEndMs, graceSecondsOf, type StopCause } from './grace.ts';

/** When the grace of a stop that begins now is used up, in the time of a `GraceClock`. */
export function stopEndMs(cause: StopCause, { metadata, spec }: Pod, clock: Clock): number {
  const nowMs = clock.nowMs();
  const podGraceSeconds = spec?.terminationGracePeriodSeconds ?? 30;
  // Whatever else is a reason to stop: of a pod that is deleted the deletion's grace counts.
  const { deletionTimestamp: deleted, deletionGracePeriodSeconds } = metadata ?? {};
  const counts: StopCause =
    deleted === undefined
      ? cause
      : { kind: 'deletion', graceSeconds: deletionGracePeriodSeconds ?? 0 };
  const endMs = graceEndMs({
    nowMs,
    graceSeconds: graceSecondsOf(counts, podGraceSeconds),
    deletionTimestampMs: deleted === undefined ? null : Date.parse(deleted),
  });
  return clock.monotonicMs() + (endMs - nowMs);
}
