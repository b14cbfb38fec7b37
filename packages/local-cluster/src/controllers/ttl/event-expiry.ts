/** Takes Events away an hour after they were last told, and the oldest where there are too many. */
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { keyOf, parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { isReason } from '../../../../../src/kube/api-error.ts';
import { events } from '../../../../../src/kube/resources.ts';
import type { ControllerContext } from '../context.ts';
import { expiredEvents, MAX_EVENTS } from './decide.ts';

/** All of them are one matter. */
const KEY = 'events';
/** Looked at no more often than this, and no less. */
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
        try {
          await client.delete(events, parseKey(keyOf(event)));
        } catch (error) {
          if (!isReason(error, 'NotFound')) throw error;
        }
      }
      const pauseMs = Math.min(Math.max(nextInMs ?? MAX_PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS);
      return requeueAfter(pauseMs, 'the next event has its time');
    },
  });
}

function beginOnce(enqueue: (key: string) => void): () => void {
  enqueue(KEY);
  return () => {};
}
