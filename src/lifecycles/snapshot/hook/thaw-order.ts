/**
 * The order of thaws: within a pod in reverse of the freezes, pods side by side. It is a wish and not a
 * condition (SNAP-I15): a thaw that fails or hangs holds the next one up for two seconds, and no longer.
 */
import type { ContainerStatus } from '../kinds.ts';
import { isIssued, isThawed, timeOf } from './targets.ts';

export const THAW_PATIENCE_MS = 2_000;

export interface ThawTurn {
  readonly targets: readonly ContainerStatus[];
  /** Whose turn. */
  readonly index: number;
  readonly releasedAtMs: number;
  readonly nowMs: number;
}

/**
 * null: at once; else how long to wait for those before it, milliseconds.
 *
 * Worked example, containers a, b, c of a pod, frozen in this order, released at 0: c at 0; b when c is
 * thawed or has failed, at 2 s at the latest; a when both are, at 2 s after b was begun or at 4 s at the latest.
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
  // More than that is a wall clock that was set back.
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
