/**
 * How long an application rests after a window that froze it in vain, before the next window freezes it (SNAP-W14).
 *
 * A client may repeat creations without an end if they are refused after the freeze, for example by a quota.
 */
import { keyText } from '../../../controller/object-key.ts';
import type { Clock } from '../../../platform/platform.ts';
import { identify } from '../app/identify.ts';
import type { ApplicationSnapshot } from '../kinds.ts';

export interface Rest {
  /** Milliseconds; 0: the next window may freeze. */
  readonly ms: number;
  readonly message: string;
}

/**
 * The application rests as long as it was frozen in vain. The times come from a controller, and `nowMs` from this
 * process. So clocks that differ shorten or extend this pause, but it is over when this process has seen the end of the
 * window for the length of that freeze. `overForMs`: milliseconds since this process first saw that end. Pure.
 */
export function restAfter(
  { metadata, status = {} }: ApplicationSnapshot,
  nowMs: number,
  overForMs: number = 0,
): Rest {
  const frozenMs = frozenInVainMs(status);
  const endMs = Date.parse(endOf(status) ?? '');
  const leftMs = Math.min(frozenMs - overForMs, endMs + frozenMs - nowMs);
  const ms = frozenMs === 0 ? 0 : Math.max(0, leftMs);
  const seconds = (frozenMs / 1_000).toFixed(1);
  const message = `window ${metadata?.name ?? ''} froze the application for ${seconds} s but nothing was cut, so the application is not frozen again within ${seconds} s after that`;
  return { ms, message };
}

/**
 * Milliseconds from the time when all hooks had frozen to the end; 0: they never had, there were no hooks, or something
 * was cut.
 */
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

/** Maximum number of guards whose newest window is remembered: guards may be created and deleted without an end. */
export const GUARDS_MAX = 1_000;

/** The time since this process first saw the end of the newest window of each guard, by the monotonic clock. */
export class EndTimes {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /**
   * Keyed by the key of the guard, the last used one last. Values: the UID of the window, and milliseconds of the
   * monotonic clock.
   */
  readonly #seen = new Map<string, { readonly uid: string; readonly atMs: number }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Milliseconds. The time of a window that is not the last known one of its guard starts now. */
  sinceMs(window: ApplicationSnapshot): number {
    const { namespace, uid } = identify(window);
    const { guardName = '' } = window.spec.window ?? {};
    const key = keyText({ namespace, name: guardName });
    const nowMs = this.#clock.monotonicMs();
    const known = this.#seen.get(key);
    const seen = known?.uid === uid ? known : { uid, atMs: nowMs };
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    for (const [oldest] of this.#seen) {
      if (this.#seen.size <= GUARDS_MAX) break;
      this.#seen.delete(oldest);
    }
    return nowMs - seen.atMs;
  }
}
