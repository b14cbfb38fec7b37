/** The data and view of the page at one moment: the parts draw from it, and change nothing else. */
import type { Bar, SourceState } from '../bar.ts';
import type { Arrangement, LaneGroup } from './arranged-lanes.ts';
import type { Attention } from './attention.ts';
import type { BarFilter } from './filter.ts';
import type { Connection } from './feed.ts';
import type { Lane } from './lanes.ts';
import type { Moment } from './page-clock.ts';
import type { TimeWindow } from './time-window.ts';

/** The choices of the user. */
export interface View {
  readonly window: TimeWindow;
  /** True: the right edge stays at now. */
  readonly follows: boolean;
  readonly filter: BarFilter;
  readonly selected: string | null;
  /** True: the details of the selected span are open. */
  readonly isOpen: boolean;
  readonly shows: 'chart' | 'table';
  readonly arrangement: Arrangement;
}

export interface Scene extends Moment {
  readonly view: View;
  /** All spans. */
  readonly bars: readonly Bar[];
  /** The spans that match the filter. */
  readonly shown: readonly Bar[];
  readonly lanes: readonly Lane[];
  /** The tracks in the order of the page, without the hidden ones. */
  readonly groups: readonly LaneGroup[];
  /** From all spans, whatever the filter: the most urgent first. */
  readonly attention: readonly Attention[];
  readonly selected: Bar | null;
  /** True: the span of the link does not exist. */
  readonly isLinkLost: boolean;
  readonly connection: Connection | 'exported';
  /** The server's advice to a client without a session. */
  readonly advice: string;
  /** Number of the oldest spans that the server has dropped. */
  readonly forgotten: number;
  readonly sources: readonly SourceState[];
}

/** The actions of the parts of the page. */
export interface Actions {
  change(view: Partial<View>): void;
  /** Selects the span and scrolls to it. */
  select(bar: Bar, more?: Pick<Partial<View>, 'isOpen'>): void;
  /** Shows the time of these spans. */
  fit(bars: readonly Bar[]): void;
  zoom(factor: number): void;
  scene(): Scene;
}
