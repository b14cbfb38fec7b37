/** What the page knows and shows at one moment: its parts are drawn from this, and change nothing else. */
import type { Bar, SourceState } from '../bar.ts';
import type { Arrangement, LaneGroup } from './arranged-lanes.ts';
import type { Attention } from './attention.ts';
import type { BarFilter } from './filter.ts';
import type { Connection } from './feed.ts';
import type { Lane } from './lanes.ts';
import type { Moment } from './page-clock.ts';
import type { TimeWindow } from './time-window.ts';

/** What the user has chosen. */
export interface View {
  readonly window: TimeWindow;
  /** The right edge stays at now. */
  readonly follows: boolean;
  readonly filter: BarFilter;
  readonly selected: string | null;
  /** The detail of the selected bar is open. */
  readonly isOpen: boolean;
  readonly shows: 'chart' | 'table';
  readonly arrangement: Arrangement;
}

export interface Scene extends Moment {
  readonly view: View;
  /** All bars. */
  readonly bars: readonly Bar[];
  /** Those that the filter lets through. */
  readonly shown: readonly Bar[];
  readonly lanes: readonly Lane[];
  /** The same in the order on the page, without those that are folded away. */
  readonly groups: readonly LaneGroup[];
  /** Of all bars, whatever the filter: the most urgent first. */
  readonly attention: readonly Attention[];
  readonly selected: Bar | null;
  /** The bar that the address names is not there. */
  readonly isLinkLost: boolean;
  readonly connection: Connection | 'exported';
  /** Of the server, to who is not let in. */
  readonly advice: string;
  /** How many of the oldest the server has let go. */
  readonly forgotten: number;
  readonly sources: readonly SourceState[];
}

/** What the parts of the page may do. */
export interface Actions {
  change(view: Partial<View>): void;
  /** Selects the bar and brings it into sight. */
  select(bar: Bar, more?: Pick<Partial<View>, 'isOpen'>): void;
  /** Shows the time of these bars. */
  fit(bars: readonly Bar[]): void;
  zoom(factor: number): void;
  scene(): Scene;
}
