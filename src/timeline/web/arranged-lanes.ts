/**
 * Groups the tracks in the order that the user has chosen. Decides which tracks are shown, and counts the hidden idle
 * ones. Pure.
 */
import { type Bar, isBad, type Lifecycle, LIFECYCLES } from '../bar.ts';
import { stepOf } from './attention.ts';
import type { Lane } from './lanes.ts';

export const TRACK_ORDERS = ['trouble', 'newest', 'name'] as const;
export type TrackOrder = (typeof TRACK_ORDERS)[number];

export interface Arrangement {
  readonly order: TrackOrder;
  /** Groups that show only their frozen tracks. */
  readonly collapsed: readonly Lifecycle[];
  /** Groups that show all their idle tracks. */
  readonly unfolded: readonly Lifecycle[];
}

export const TROUBLE_FIRST: Arrangement = { order: 'trouble', collapsed: [], unfolded: [] };

export interface LaneGroup {
  readonly lifecycle: Lifecycle;
  /** The tracks that are shown. */
  readonly lanes: readonly Lane[];
  /** Number of tracks of the group. */
  readonly total: number;
  /** Number of idle tracks that are hidden unless the user unfolds the group. */
  readonly folded: number;
  readonly isCollapsed: boolean;
  readonly isUnfolded: boolean;
  readonly frozen: number;
  readonly failed: number;
}

/** failed: the newest run of the track failed. bad: an earlier run or attempt failed. */
const STATES = ['frozen', 'failed', 'running', 'bad', 'idle'] as const;
export type LaneState = (typeof STATES)[number];

/**
 * Number of idle tracks that a group shows: those with the latest activity. If only one more is idle, it is shown too.
 */
const IDLE_SHOWN = 5;
const FOLDED_MIN = 2;

export interface ArrangeOptions extends Arrangement {
  /** Whether the user is searching: then all tracks that match are shown. */
  readonly isSearching: boolean;
  /** Key of the track that is always shown; null: none. */
  readonly selected: string | null;
}

export function arrangedLanes(
  lanes: readonly Lane[],
  options: ArrangeOptions,
): readonly LaneGroup[] {
  const known = lanes.map((lane) => ({ lane, state: laneState(lane), lastMs: lastMsOf(lane) }));
  const groups = LIFECYCLES.flatMap((lifecycle) => {
    const own = known.filter(({ lane }) => lane.lifecycle === lifecycle);
    return own.length === 0 ? [] : [{ lifecycle, own: own.toSorted(comparing(options.order)) }];
  });
  return groups
    .toSorted(({ own: [one] }, { own: [other] }) =>
      one === undefined || other === undefined || options.order === 'name'
        ? 0
        : comparingGroups(options.order)(one, other),
    )
    .map(({ lifecycle, own }) => groupOf(lifecycle, own, options));
}

interface Known {
  readonly lane: Lane;
  readonly state: LaneState;
  readonly lastMs: number;
}

/**
 * The order of the tracks, which are sorted by name before. The sort is stable, so equal tracks stay sorted by name.
 */
function comparing(order: TrackOrder): (one: Known, other: Known) => number {
  if (order === 'name') return () => 0;
  return comparingGroups(order);
}

function comparingGroups(order: 'trouble' | 'newest'): (one: Known, other: Known) => number {
  return order === 'newest'
    ? (one, other) => other.lastMs - one.lastMs
    : (one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state);
}

function groupOf(lifecycle: Lifecycle, own: readonly Known[], options: ArrangeOptions): LaneGroup {
  const { order, isSearching, selected } = options;
  const isCollapsed = options.collapsed.includes(lifecycle);
  const isUnfolded = options.unfolded.includes(lifecycle);
  const idle = order === 'trouble' && !isSearching ? foldable(own) : [];
  const folded = new Set(idle.filter(({ key }) => key !== selected));
  const isShown = ({ lane, state }: Known): boolean =>
    lane.key === selected ||
    state === 'frozen' ||
    (!isCollapsed && (isUnfolded || !folded.has(lane)));
  const count = (state: LaneState): number => own.filter((one) => one.state === state).length;
  return {
    lifecycle,
    lanes: own.filter(isShown).map(({ lane }) => lane),
    total: own.length,
    folded: folded.size,
    isCollapsed,
    isUnfolded,
    frozen: count('frozen'),
    failed: count('failed'),
  };
}

function foldable(own: readonly Known[]): readonly Lane[] {
  const idle = own
    .filter(({ state }) => state === 'idle')
    .toSorted((one, other) => other.lastMs - one.lastMs)
    .slice(IDLE_SHOWN);
  return idle.length < FOLDED_MIN ? [] : idle.map(({ lane }) => lane);
}

export function laneState({ bars, isFrozen }: Pick<Lane, 'bars' | 'isFrozen'>): LaneState {
  if (isFrozen) return 'frozen';
  const hasBad = bars.some(isBad);
  if (hasBad && hasFailed(bars)) return 'failed';
  if (bars.some(({ endMs }) => endMs === null)) return 'running';
  return hasBad ? 'bad' : 'idle';
}

/** Whether the last attempt of any step of the newest run is bad. `bars` are in the order of their starts. */
function hasFailed(bars: readonly Bar[]): boolean {
  const newest = bars.at(-1)?.run;
  const last = new Map<string, Bar>();
  for (const bar of bars) if (bar.run === newest) last.set(stepOf(bar), bar);
  return [...last.values()].some(isBad);
}

const lastMsOf = ({ bars }: Lane): number =>
  bars.reduce((last, { startMs, endMs }) => Math.max(last, endMs ?? Infinity, startMs), 0);
