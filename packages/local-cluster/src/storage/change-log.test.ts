import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';

import { nodeTimers } from '../../../../src/platform/timers.ts';
import { ChangeLog } from './change-log.ts';
import type { StoreChange } from './object-store.ts';

const clock = { nowMs: () => 0, monotonicMs: () => 0 };

function change(revision: number): StoreChange {
  const address = { resource: 'things', namespace: 'default', name: 'a' };
  return { type: 'MODIFIED', stored: { address, revision, object: {} }, previous: undefined };
}

it('listens to the signal of a watch once, however many changes the watch has seen', async () => {
  const log = new ChangeLog({ clock, timers: nodeTimers }, 1);
  const stop = new AbortController();
  const changes = log.follow(1, stop.signal)[Symbol.asyncIterator]();
  for (const revision of [2, 3, 4]) {
    const next = changes.next();
    log.add(change(revision), 1);
    expect((await next).value).toMatchObject({ stored: { revision } });
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  }
  const last = changes.next();
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
  stop.abort();
  expect(await last).toMatchObject({ done: true });
});
