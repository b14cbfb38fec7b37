/** Deletes Events an hour after they were last seen. Above MAX_EVENTS the oldest are deleted early. */
import type { Event } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { keyOf, parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import { events } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';

/** All Events are reconciled under one key. */
const KEY = 'events';
/** Minimum and maximum number of milliseconds between two reconciles. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export function makeEventExpiryController(context: ControllerContext): Controller {
  const { client, informers, platform } = context;
  const ofEvents = informers.of(events);
  return makeController({
    ...context,
    name: 'event-expiry',
    sources: [
      { synced: () => ofEvents.synced(), listen: beginOnce },
      watched({
        informer: ofEvents,
        keys: () => [KEY],
        when: () => ofEvents.list().length > MAX_EVENTS,
      }),
    ],
    reconcile: async (_key, { signal }): Promise<Outcome> => {
      const { expired, nextInMs } = expiredEvents(ofEvents.list(), platform.clock.nowMs());
      for (const event of expired) {
        if (signal.aborted) return done;
        await orNull(client.delete(events, parseKey(keyOf(event))), 'NotFound');
      }
      const pauseMs = Math.min(Math.max(nextInMs ?? MAX_PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS);
      return requeueAfter(pauseMs, 'the next event has not expired yet');
    },
  });
}

function beginOnce(enqueue: (key: string) => void): () => void {
  enqueue(KEY);
  return () => {};
}

/** Milliseconds for which an Event is kept, as on a real API server. */
export const EVENT_TTL_MS = 3_600_000;
/** Maximum number of Events in the whole cluster; above it the oldest are deleted early. */
export const MAX_EVENTS = 5_000;

interface Expiry {
  readonly expired: readonly Event[];
  /** Milliseconds until the next Event expires; null if no Event remains. */
  readonly nextInMs: number | null;
}

export function expiredEvents(all: readonly Event[], nowMs: number): Expiry {
  const byAge = all
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

/** Time at which an Event was last repeated, in milliseconds; a repeated Event expires later. */
function lastSeenMs({ lastTimestamp, eventTime, metadata }: Event): number {
  const text = lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? 0 : ms;
}
