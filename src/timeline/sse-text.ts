/**
 * Writes changes as server-sent events: `event: bar` with a span, `gone` with the id of a dropped span and the number
 * of all dropped ones, `sources`, and `reset` if the client must read everything again. After a silence, `alive` is
 * sent with the server's clock. A client that receives nothing for much longer has lost its connection, even if the
 * connection was not closed.
 */
import type { CancelSignal, Clock, Timers } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import type { StoreItem } from './bar-store.ts';

/** Milliseconds after which a browser reconnects. */
const RETRY_MS = 1_000;
const ALIVE_MS = 15_000;

export interface SseOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly timers: Timers;
  readonly signal: CancelSignal;
}

export async function* sseText(
  items: AsyncIterable<StoreItem>,
  { clock, timers, signal }: SseOptions,
): AsyncGenerator<string, void> {
  yield `retry: ${RETRY_MS}\n\n`;
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  while (!signal.aborted) {
    const quiet = new AbortController();
    const winner = await Promise.race([
      next,
      sleep(timers, ALIVE_MS, quiet.signal).then(() => null),
    ]);
    quiet.abort();
    if (winner === null) {
      yield `event: alive\ndata: {"now":${clock.nowMs()}}\n\n`;
    } else if (winner.done === true) {
      return;
    } else {
      yield eventText(winner.value);
      next = iterator.next();
    }
  }
}

/** A change as text of the stream. One "data:" line is enough, since JSON has no line feed. */
function eventText(item: StoreItem): string {
  return `id: ${item.seq}\nevent: ${item.kind}\ndata: ${dataOf(item)}\n\n`;
}

function dataOf(item: StoreItem): string {
  switch (item.kind) {
    case 'bar':
      return item.text;
    case 'gone':
      return JSON.stringify({ id: item.id, forgotten: item.forgotten });
    case 'sources':
      return JSON.stringify(item.sources);
    case 'reset':
      return '{}';
    default:
      return item satisfies never;
  }
}
