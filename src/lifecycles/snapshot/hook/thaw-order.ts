/**
 * The order of thaws: pods in parallel, the containers of one pod in the reverse order of their freezes. The order is
 * best effort (SNAP-I15): a thaw that fails or hangs delays the next one by two seconds, and no longer.
 */
import type { ContainerStatus } from '../kinds.ts';
import { isIssued, isThawed, timeOf } from './targets.ts';

export const THAW_PATIENCE_MS = 2_000;

export interface ThawTurn {
  readonly targets: readonly ContainerStatus[];
  /** The index of the target in question. */
  readonly index: number;
  readonly releasedAtMs: number;
  readonly nowMs: number;
}

/**
 * Milliseconds that this target waits for those before it; null: it starts at once.
 *
 * Example: containers a, b, c of a pod, frozen in this order, released at 0. c starts at 0. b starts when c is thawed
 * or has failed, at 2 s at the latest. a starts when both are, 2 s after b has started or at 4 s at the latest.
 */
export function waitForTurnMs({ targets, index, releasedAtMs, nowMs }: ThawTurn): number | null {
  const own = targets[index];
  const before = targets
    .slice(index + 1)
    .filter((other) => other.podUID === own?.podUID && isIssued(other));
  const waiting = before.filter((other) => !isOutOfTheWay(other, nowMs));
  if (waiting.length === 0) return null;
  const mostMs = before.length * THAW_PATIENCE_MS;
  const latestMs = releasedAtMs + mostMs - nowMs;
  // A longer wait means that the wall clock was set back.
  if (latestMs <= 0 || latestMs > mostMs) return null;
  const begunMs = waiting.map(({ postActionStatus }) => {
    const [atMs] = timeOf(postActionStatus?.actionTimestamp);
    return atMs === undefined ? latestMs : atMs + THAW_PATIENCE_MS - nowMs;
  });
  return Math.min(latestMs, Math.max(...begunMs));
}

function isOutOfTheWay(target: ContainerStatus, nowMs: number): boolean {
  if (isThawed(target) || target.postActionStatus?.actionSucceed !== undefined) return true;
  const [atMs] = timeOf(target.postActionStatus?.actionTimestamp);
  return atMs !== undefined && (nowMs - atMs >= THAW_PATIENCE_MS || nowMs < atMs);
}
