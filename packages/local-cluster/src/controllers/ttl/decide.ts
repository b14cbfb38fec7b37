/** Which Events have had their time. Pure. */
import type { Event } from 'kubernetes-types/core/v1.js';

/** As a real API server keeps them. */
export const EVENT_TTL_MS = 3_600_000;
/** Of the whole cluster; beyond it the oldest go early. */
export const MAX_EVENTS = 5_000;

export interface Expiry {
  readonly expired: readonly Event[];
  /** Until the next one has had its time; null: there is none. */
  readonly nextInMs: number | null;
}

export function expiredEvents(events: readonly Event[], nowMs: number): Expiry {
  const byAge = events
    .map((event) => ({ event, atMs: lastSeenMs(event) }))
    .toSorted((a, b) => a.atMs - b.atMs);
  const surplus = Math.max(0, byAge.length - MAX_EVENTS);
  const old = byAge.filter(({ atMs }, index) => index < surplus || atMs + EVENT_TTL_MS <= nowMs);
  const next = byAge[old.length];
  return {
    expired: old.map(({ event }) => event),
    nextInMs: next === undefined ? null : next.atMs + EVENT_TTL_MS - nowMs,
  };
}

/** One that is told again lives on. */
function lastSeenMs({ lastTimestamp, eventTime, metadata }: Event): number {
  const text = lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? 0 : ms;
}
