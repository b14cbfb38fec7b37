import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Clock } from '../../platform/platform.ts';
import { graceEndMs, graceSecondsOf, type StopCause } from './grace.ts';

/** End of the grace period of a stop that begins now, on the clock of `GraceClock`. */
export function stopEndMs(cause: StopCause, { metadata, spec }: Pod, clock: Clock): number {
  const nowMs = clock.nowMs();
  const podGraceSeconds = spec?.terminationGracePeriodSeconds ?? 30;
  // For a deleted pod the grace of the deletion counts, whatever the cause of the stop.
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
