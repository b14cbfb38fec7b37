/**
 * Receives spans from the server: all of them once, then each change. After a lost connection the browser reconnects by
 * itself, with the id of the last event. If the server rejects the reconnect, everything is read again.
 */
import type { Bar, BarPage, SourceState } from '../bar.ts';
import { clamp } from './time-window.ts';
import type { PageWorld } from './world.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'signedOut';

export interface Loss {
  readonly state: 'lost' | 'signedOut';
  /** Time up to which no change was missed, milliseconds of the page's monotonic clock. */
  readonly receivedMs: number;
  /** Advice from the server for a client without a session. */
  readonly advice: string;
}

export interface Dropped {
  /** Id of the span that the server has dropped. */
  readonly id: string;
  /** Number of all spans that the server has dropped. */
  readonly forgotten: number;
}

export interface FeedListener {
  /** Receives all spans. */
  all(page: BarPage): void;
  changed(bar: Bar): void;
  removed(dropped: Dropped): void;
  sources(sources: readonly SourceState[]): void;
  /** Receives the server's clock. */
  synced(serverMs: number): void;
  /** Called when the connection is open and changes arrive. */
  live(): void;
  lost(loss: Loss): void;
}

const PAGE_BARS = 5_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 10_000;
const HTTP_UNAUTHORIZED = 401;
/** Milliseconds of silence after which the connection counts as dead. The server sends something every 15 seconds. */
const SILENCE_MAX_MS = 40_000;
const FETCH_MAX_MS = 60_000;

export class Feed {
  readonly #world: PageWorld;
  readonly #listener: FeedListener;
  #events: EventSource | null = null;
  #retryMs = RETRY_MIN_MS;
  #cancelRetry = (): void => {};
  #cancelWatch = (): void => {};
  #receivedMs = 0;

  constructor(world: PageWorld, listener: FeedListener) {
    this.#world = world;
    this.#listener = listener;
  }

  /**
   * Reads everything and follows the changes. Call it again after a lost connection: a restarted server has other
   * numbers.
   */
  async start(): Promise<void> {
    this.stop();
    try {
      const page = await this.#everything();
      this.#receivedMs = this.#world.monotonicMs();
      this.#listener.all(page);
      this.#follow(page.seq);
    } catch (error) {
      if (error instanceof SignedOut) this.#giveUp('signedOut', { advice: error.message });
      else this.#giveUp('lost');
    }
  }

  stop(): void {
    this.#cancelRetry();
    this.#cancelWatch();
    this.#events?.close();
    this.#events = null;
  }

  async #everything(): Promise<BarPage> {
    let page = await fetchBars(0);
    while (page.truncated) {
      const next = await fetchBars(page.seq);
      if (next.forgotten !== page.forgotten) {
        // The spans that the server has dropped meanwhile may be on the earlier pages.
        page = await fetchBars(0);
        continue;
      }
      if (next.bars.length === 0 || next.seq <= page.seq) break;
      page = { ...next, bars: [...page.bars, ...next.bars] };
    }
    return page;
  }

  #follow(seq: number): void {
    const events = new EventSource(`/api/events?after=${seq}`);
    this.#events = events;
    events.onopen = () => {
      this.#retryMs = RETRY_MIN_MS;
      this.#watch();
      this.#listener.live();
    };
    events.onerror = () => {
      // No change was missed until now: a connection that had been silent for long would have been closed before.
      if (events.readyState !== EventSource.CLOSED) {
        this.#cancelWatch();
        this.#listener.lost({ state: 'lost', receivedMs: this.#world.monotonicMs(), advice: '' });
      } else this.#giveUp('lost', { receivedMs: this.#world.monotonicMs() });
    };
    const on = (name: string, act: (data: string) => void): void => {
      events.addEventListener(name, (event: MessageEvent<string>) => {
        this.#watch();
        act(event.data);
      });
    };
    on('bar', (data) => {
      this.#listener.changed(JSON.parse(data) as Bar);
    });
    on('gone', (data) => {
      this.#listener.removed(JSON.parse(data) as Dropped);
    });
    on('sources', (data) => {
      this.#listener.sources(JSON.parse(data) as SourceState[]);
    });
    on('alive', (data) => {
      this.#listener.synced((JSON.parse(data) as { now: number }).now);
    });
    // The server no longer has all changes that were missed.
    events.addEventListener('reset', () => {
      void this.start();
    });
  }

  /** Restarts the timer that detects a silent connection. */
  #watch(): void {
    this.#receivedMs = this.#world.monotonicMs();
    this.#cancelWatch();
    this.#cancelWatch = this.#world.after(SILENCE_MAX_MS, () => {
      this.#giveUp('lost');
    });
  }

  #giveUp(state: Loss['state'], { advice = '', receivedMs = this.#receivedMs } = {}): void {
    this.stop();
    this.#listener.lost({ state, receivedMs, advice });
    this.#cancelRetry = this.#world.after(this.#retryMs, () => {
      void this.start();
    });
    this.#retryMs = clamp(this.#retryMs * 2, RETRY_MIN_MS, RETRY_MAX_MS);
  }
}

class SignedOut extends Error {}

async function fetchBars(after: number): Promise<BarPage> {
  const answer = await fetch(`/api/bars?after=${after}&limit=${PAGE_BARS}`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(FETCH_MAX_MS),
  });
  if (answer.status === HTTP_UNAUTHORIZED) throw new SignedOut(await answer.text());
  if (!answer.ok) throw new Error(`GET /api/bars was answered with ${answer.status}`);
  return (await answer.json()) as BarPage;
}
