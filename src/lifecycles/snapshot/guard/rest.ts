/**
 * How long an application rests after a window that froze it in vain, before the next window freezes it (SNAP-W14).
 * Pure.
 *
 * A client may repeat creations without an end if they are refused after the freeze, for example by a quota.
 */
import type { ApplicationSnapshot } from '../kinds.ts';

export interface Rest {
  /** Milliseconds; 0: the next window may freeze. */
  readonly ms: number;
  readonly message: string;
}

/**
 * The rest lasts as long as the freeze in vain. The times come from a controller, and `nowMs` from this process. A
 * wrong clock makes the rest longer or shorter, but `ms` is never more than the length of that freeze.
 */
export function restAfter({ metadata, status = {} }: ApplicationSnapshot, nowMs: number): Rest {
  const frozenMs = frozenInVainMs(status);
  const endMs = Date.parse(endOf(status) ?? '');
  const ms = frozenMs === 0 ? 0 : Math.min(frozenMs, Math.max(0, endMs + frozenMs - nowMs));
  const seconds = (frozenMs / 1_000).toFixed(1);
  const message = `window ${metadata?.name ?? ''} froze the application for ${seconds} s but nothing was cut, so the application is not frozen again within ${seconds} s after that`;
  return { ms, message };
}

/** Milliseconds of the freeze; 0: nothing was frozen, or something was cut. */
function frozenInVainMs(status: NonNullable<ApplicationSnapshot['status']>): number {
  const { cutRequestedAt, executionHookNames = [], admitted = [] } = status;
  const endedAt = endOf(status);
  if (cutRequestedAt === undefined || endedAt === undefined) return 0;
  if (executionHookNames.length === 0) return 0;
  if (admitted.some(({ outcome }) => outcome === 'Cut')) return 0;
  return Math.max(0, Date.parse(endedAt) - Date.parse(cutRequestedAt));
}

function endOf({
  closedAt,
  failure,
}: NonNullable<ApplicationSnapshot['status']>): string | undefined {
  return closedAt ?? failure?.at;
}
