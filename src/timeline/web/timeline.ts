/**
 * The data and the view of the page; only this module changes them. All changes of one frame of the browser are drawn
 * together.
 */
import type { Bar, BarPage, SourceState } from '../bar.ts';
import { TROUBLE_FIRST } from './arranged-lanes.ts';
import { type Attention, attentionOf } from './attention.ts';
import type { Dropped, FeedListener, Loss } from './feed.ts';
import { EVERYTHING, matching } from './filter.ts';
import { KnownBars } from './drawn-bars.ts';
import { PageClock } from './page-clock.ts';
import { ShownTracks } from './shown-tracks.ts';
import { fitted, followed, following, newestStory, revealing, zoomed } from './time-window.ts';
import type { Actions, Place, Scene, View } from './view.ts';
import type { PageWorld } from './world.ts';

/** Milliseconds. If the last event is younger than this when the page opens, the page follows the current time. */
const FRESH_MS = 60_000;
/** Milliseconds between two frames while an open span grows; else only the line of the current time moves. */
const TICK_BUSY_MS = 100;
const TICK_IDLE_MS = 1_000;
const MINUTE_MS = 60_000;

export interface Parts {
  render(scene: Scene): void;
  reveal(bar: Bar): void;
}

export class Timeline implements Actions, FeedListener {
  readonly #world: PageWorld;
  readonly #known = new KnownBars();
  readonly #clock: PageClock;
  #place: Place;
  #parts: Parts | null = null;
  #view: View = {
    window: fitted([], 0),
    follows: false,
    filter: EVERYTHING,
    selected: null,
    isOpen: false,
    shows: 'chart',
    arrangement: TROUBLE_FIRST,
  };
  #connection: Scene['connection'] = 'connecting';
  #advice = '';
  #forgotten = 0;
  /** Number of a change. The page has all changes up to this one, and may have later ones. */
  #seq = 0;
  #sources: readonly SourceState[] = [];
  #hasBars = false;
  #isLinkLost = false;
  #isDrawing = false;
  readonly #tracks = new ShownTracks();

  #attention: { readonly bars: readonly Bar[]; minute: number; found: readonly Attention[] } = {
    bars: [],
    minute: 0,
    found: [],
  };

  constructor(world: PageWorld, place: Place) {
    this.#world = world;
    this.#clock = new PageClock(world);
    this.#place = place;
    this.#view = { ...this.#view, filter: place.filter, shows: place.shows };
  }

  /** Opens the place of a link that the user has followed inside the page. */
  go(place: Place): void {
    this.#place = place;
    this.change({ filter: place.filter, shows: place.shows, selected: null, isOpen: false });
    this.#open();
  }

  /** From now on draws each change. */
  draw(parts: Parts): void {
    this.#parts = parts;
    this.#redraw();
    this.#tick();
  }

  change(view: Partial<View>): void {
    this.#view = { ...this.#view, ...view };
    this.#redraw();
  }

  select(bar: Bar, more: Pick<Partial<View>, 'isOpen'> = {}): void {
    const { nowMs, view } = this.scene();
    const window = revealing(view.window, bar, nowMs);
    const follows = view.follows && window === view.window;
    this.change({ selected: bar.id, window, follows, ...more });
    this.#parts?.reveal(bar);
  }

  fit(bars: readonly Bar[]): void {
    this.change({ window: fitted(bars, this.scene().nowMs), follows: false });
  }

  /** Zooms around now if the view follows it, else around a visible selected span, or else around the middle. */
  zoom(factor: number): void {
    const { view, selected, nowMs } = this.scene();
    const { fromMs, toMs } = view.window;
    const isInSight = selected !== null && selected.startMs >= fromMs && selected.startMs <= toMs;
    const around = isInSight ? selected.startMs : (fromMs + toMs) / 2;
    this.change({ window: zoomed(view.window, factor, view.follows ? nowMs : around) });
  }

  scene(): Scene {
    const bars = this.#known.list;
    const moment = this.#clock.moment();
    const selected = this.#view.selected === null ? null : this.#known.get(this.#view.selected);
    return {
      view: this.#view,
      bars,
      ...this.#tracks.of(bars, this.#view, { selected, nowMs: moment.nowMs }),
      attention: this.#attentionNow(bars),
      selected,
      isLinkLost: this.#isLinkLost,
      ...moment,
      connection: this.#connection,
      advice: this.#advice,
      forgotten: this.#forgotten,
      sources: this.#sources,
    };
  }

  /** All spans in the form of the server's export, with the time of the last known state. */
  exported(): BarPage {
    const at = Math.floor(this.#clock.moment().nowMs);
    const bars = this.#known.list.toSorted((one, other) => one.startMs - other.startMs);
    return {
      bars,
      seq: this.#seq,
      truncated: false,
      ...(this.#forgotten === 0 ? {} : { forgotten: this.#forgotten }),
      now: at,
      sources: this.#sources,
      exportedAt: new Date(at).toISOString(),
    };
  }

  /** Computed again every minute, since a failure needs attention for an hour only. */
  #attentionNow(bars: readonly Bar[]): readonly Attention[] {
    const { nowMs } = this.#clock.moment();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (this.#attention.bars !== bars || this.#attention.minute !== minute) {
      this.#attention = { bars, minute, found: attentionOf(bars, nowMs) };
    }
    return this.#attention.found;
  }

  /** Receives all spans, from the server or from the page itself. */
  all(page: BarPage): void {
    this.#known.replaceAll(page.bars);
    this.#seq = page.seq;
    this.#forgotten = page.forgotten ?? 0;
    this.#sources = page.sources;
    this.#clock.sync(page.now);
    if (page.exportedAt !== undefined) {
      this.#connection = 'exported';
      this.#clock.stop(this.#world.monotonicMs());
    }
    if (!this.#hasBars) this.#open();
    this.#redraw();
  }

  changed(bar: Bar): void {
    this.#known.add([bar]);
    if (!this.#hasBars) this.#open();
    this.#redraw();
  }

  removed({ id, forgotten }: Dropped): void {
    this.#known.remove(id);
    this.#forgotten = forgotten;
    this.#redraw();
  }

  sources(sources: readonly SourceState[]): void {
    this.#sources = sources;
    this.#redraw();
  }

  synced(serverMs: number): void {
    this.#clock.sync(serverMs);
  }

  live(): void {
    this.#connection = 'live';
    this.#clock.start();
    this.#redraw();
  }

  lost({ state, receivedMs, advice }: Loss): void {
    this.#connection = state;
    this.#advice = advice;
    if (this.#hasBars) this.#clock.stop(receivedMs);
    this.#redraw();
  }

  /** Call it when the first spans are known. Opens the place of the link, or else shows the latest spans. */
  #open(): void {
    const bars = this.#known.list;
    const { nowMs } = this.#clock.moment();
    this.#hasBars = bars.length > 0;
    const linked = this.#place.bar === null ? null : this.#known.get(this.#place.bar);
    this.#isLinkLost = this.#hasBars && this.#place.bar !== null && linked === null;
    const run = bars.filter((bar) => bar.run === linked?.run && bar.lane === linked.lane);
    const story =
      linked === null ? newestStory(matching(bars, this.#view.filter, nowMs), nowMs) : run;
    const follows = this.#place.window === null && linked === null && this.#isFresh(story);
    const shown = follows ? followed(story, nowMs) : fitted(story, nowMs);
    this.#view = { ...this.#view, window: this.#place.window ?? shown, follows };
    if (linked === null) return;
    this.#view = { ...this.#view, selected: linked.id, isOpen: true };
    // Waits for the drawing, which computes the position of the track.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => this.#parts?.reveal(linked));
    });
  }

  #isFresh(story: readonly Bar[]): boolean {
    const { nowMs, isStopped } = this.#clock.moment();
    return !isStopped && story.some(({ endMs }) => endMs === null || endMs > nowMs - FRESH_MS);
  }

  #redraw(): void {
    if (this.#isDrawing || this.#parts === null) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      const { nowMs } = this.#clock.moment();
      if (this.#view.follows) {
        this.#view = { ...this.#view, window: following(this.#view.window, nowMs) };
      }
      this.#parts?.render(this.scene());
    });
  }

  #tick(): void {
    if (this.#connection === 'exported') return;
    const isBusy = this.scene().shown.some(({ endMs }) => endMs === null);
    this.#world.after(isBusy ? TICK_BUSY_MS : TICK_IDLE_MS, () => {
      if (!this.#clock.moment().isStopped) this.#redraw();
      this.#tick();
    });
  }
}
