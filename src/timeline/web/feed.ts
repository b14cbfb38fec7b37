/**
 * Bars from the server: all of them once, then each change as it happens. After a connection that broke the browser
 * asks again by itself, with the id of the last event. Where the server refused that, everything is asked again.
 */
import type { Bar, BarPage, SourceState } from '../bar.ts';
import { clamp } from './time-window.ts';
import type { PageWorld } from './world.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'signedOut';

export interface FeedListener {
  /** Everything there is. */
  all(page: BarPage): void;
  changed(bar: Bar): void;
  gone(id: string): void;
  sources(sources: readonly SourceState[]): void;
  /** `advice`: what the server says to who is not let in. */
  connection(state: Connection, advice?: string): void;
}

const PAGE_BARS = 5_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 10_000;
const HTTP_UNAUTHORIZED = 401;

export class Feed {
  readonly #world: PageWorld;
  readonly #listener: FeedListener;
  #events: EventSource | null = null;
  #retryMs = RETRY_MIN_MS;
  #cancelRetry = (): void => {};

  constructor(world: PageWorld, listener: FeedListener) {
    this.#world = world;
    this.#listener = listener;
  }

  /** Also after it was lost: from the beginning, since a server that was started again counts anew. */
  async start(): Promise<void> {
    this.stop();
    try {
      const page = await this.#everything();
      this.#retryMs = RETRY_MIN_MS;
      this.#listener.all(page);
      this.#follow(page.seq);
    } catch (error) {
      if (error instanceof SignedOut) this.#lost('signedOut', error.message);
      else this.#lost('lost');
    }
  }

  stop(): void {
    this.#cancelRetry();
    this.#events?.close();
    this.#events = null;
  }

  async #everything(): Promise<BarPage> {
    let page = await fetchBars(0);
    while (page.truncated) {
      const next = await fetchBars(page.seq);
      if (next.bars.length === 0 || next.seq <= page.seq) break;
      page = { ...next, bars: [...page.bars, ...next.bars] };
    }
    return page;
  }

  #follow(seq: number): void {
    const events = new EventSource(`/api/events?after=${seq}`);
    this.#events = events;
    events.onopen = () => {
      this.#listener.connection('live');
    };
    events.onerror = () => {
      // CONNECTING: the browser tries again by itself.
      if (events.readyState === EventSource.CLOSED) this.#lost('lost');
      else this.#listener.connection('lost');
    };
    events.addEventListener('bar', (event: MessageEvent<string>) => {
      this.#listener.changed(JSON.parse(event.data) as Bar);
    });
    events.addEventListener('gone', (event: MessageEvent<string>) => {
      this.#listener.gone((JSON.parse(event.data) as { id: string }).id);
    });
    events.addEventListener('sources', (event: MessageEvent<string>) => {
      this.#listener.sources(JSON.parse(event.data) as SourceState[]);
    });
    // It no longer knows what happened since.
    events.addEventListener('reset', () => {
      void this.start();
    });
  }

  #lost(state: Connection, advice?: string): void {
    this.stop();
    this.#listener.connection(state, advice);
    this.#cancelRetry = this.#world.after(this.#retryMs, () => {
      void this.start();
    });
    this.#retryMs = clamp(this.#retryMs * 2, RETRY_MIN_MS, RETRY_MAX_MS);
  }
}

class SignedOut extends Error {}

async function fetchBars(after: number): Promise<BarPage> {
  const answer = await fetch(`/api/bars?after=${after}&limit=${PAGE_BARS}`, { cache: 'no-store' });
  if (answer.status === HTTP_UNAUTHORIZED) throw new SignedOut(await answer.text());
  if (!answer.ok) throw new Error(`GET /api/bars was answered with ${answer.status}`);
  return (await answer.json()) as BarPage;
}
