/** Selects the spans and the tracks that are shown. Caches the result, and computes again only what has changed. */
import type { Bar } from '../bar.ts';
import { arrangedLanes, type Arrangement, type LaneGroup } from './arranged-lanes.ts';
import { type BarFilter, matching } from './filter.ts';
import { type Lane, lanesOf } from './lanes.ts';
import type { View } from './view.ts';

/** Milliseconds after which the filter by time is applied again, since spans may have become too old for it. */
const STEP_MS = 10_000;

export interface Shown {
  /** The spans that match the filter. */
  readonly shown: readonly Bar[];
  /** All tracks of these spans. */
  readonly lanes: readonly Lane[];
  readonly groups: readonly LaneGroup[];
}

interface Filtered extends Pick<Shown, 'shown' | 'lanes'> {
  readonly bars: readonly Bar[];
  readonly filter: BarFilter;
  readonly step: number;
}

interface Arranged extends Pick<Shown, 'groups'> {
  readonly filtered: Filtered;
  readonly arrangement: Arrangement;
  readonly selected: string | null;
}

export class ShownTracks {
  #filtered: Filtered | null = null;
  #arranged: Arranged | null = null;

  of(bars: readonly Bar[], view: View, at: { selected: Bar | null; nowMs: number }): Shown {
    const filtered = this.#filter(bars, view.filter, at.nowMs);
    const { groups } = this.#arrange(filtered, view.arrangement, at.selected);
    return { shown: filtered.shown, lanes: filtered.lanes, groups };
  }

  #filter(bars: readonly Bar[], filter: BarFilter, nowMs: number): Filtered {
    const step = filter.lastMs === null ? 0 : Math.floor(nowMs / STEP_MS);
    const known = this.#filtered;
    if (known?.bars === bars && known.filter === filter && known.step === step) return known;
    const shown = matching(bars, filter, nowMs);
    this.#filtered = { bars, filter, step, shown, lanes: lanesOf(shown) };
    return this.#filtered;
  }

  #arrange(filtered: Filtered, arrangement: Arrangement, bar: Bar | null): Arranged {
    const selected = bar === null ? null : `${bar.lifecycle} ${bar.lane}`;
    const known = this.#arranged;
    const isSame = known?.filtered === filtered && known.arrangement === arrangement;
    if (isSame && known.selected === selected) return known;
    const isSearching = filtered.filter.text.trim() !== '';
    const groups = arrangedLanes(filtered.lanes, { ...arrangement, isSearching, selected });
    this.#arranged = { filtered, arrangement, selected, groups };
    return this.#arranged;
  }
}
