/** Computes the height and position of each track. The tracks of each lifecycle have a heading above them. Pure. */
import type { LaneGroup } from './arranged-lanes.ts';
import type { Lane } from './lanes.ts';

export type Placed = Place & {
  /** Pixels from the top of all tracks. */
  readonly y: number;
};

type Place = { readonly heightPx: number } &
  /** fold: a row that stands for the hidden idle tracks of a group. */
  (
    | { readonly kind: 'heading' | 'fold'; readonly group: LaneGroup }
    | { readonly kind: 'lane'; readonly lane: Lane; readonly bands: Bands }
  );

/** Positions inside a track, in pixels from its top. null: the track has no such row. */
export interface Bands {
  readonly phasesY: number | null;
  readonly frozenY: number | null;
  readonly hooksY: number;
}

export const HEADING_PX = 32;
const FOLD_PX = 32;
export const BAND_PX = 17;
export const ROW_PX = 22;
export const BAR_PX = 18;
const LANE_MARGIN_PX = 7;
/** Height of a track's name in pixels, on a narrow screen, where the name is above the track. */
const NAME_PX = 20;

export function placeLanes(
  groups: readonly LaneGroup[],
  names: 'beside' | 'above',
): readonly Placed[] {
  const placed: Placed[] = [];
  let y = 0;
  const put = (one: Place): void => {
    placed.push({ ...one, y });
    y += one.heightPx;
  };
  for (const group of groups) {
    put({ kind: 'heading', heightPx: HEADING_PX, group });
    for (const lane of group.lanes) {
      put({ kind: 'lane', lane, ...bandsOf(lane, names === 'above' ? NAME_PX : 0) });
    }
    if (group.folded > 0 && !group.isCollapsed) put({ kind: 'fold', heightPx: FOLD_PX, group });
  }
  return placed;
}

function bandsOf(lane: Lane, nameRoomPx: number): { bands: Bands; heightPx: number } {
  let y = LANE_MARGIN_PX + nameRoomPx;
  const bandsOfRows = (rows: number): number | null => {
    if (rows === 0) return null;
    y += rows * BAND_PX;
    return y - rows * BAND_PX;
  };
  const phasesY = bandsOfRows(lane.phases.length);
  const frozenY = bandsOfRows(lane.frozen.bars.length + lane.cuts.bars.length > 0 ? 1 : 0);
  const hooksY = y;
  const rows = Math.max(lane.hooks.length, phasesY === null && frozenY === null ? 1 : 0);
  return { bands: { phasesY, frozenY, hooksY }, heightPx: y + rows * ROW_PX + LANE_MARGIN_PX };
}

export const heightOf = (placed: readonly Placed[]): number => {
  const last = placed.at(-1);
  return last === undefined ? 0 : last.y + last.heightPx;
};

/** The rows between two vertical positions, in pixels; `placed` is sorted by `y`. */
export function placedBetween(
  placed: readonly Placed[],
  top: number,
  bottom: number,
): readonly Placed[] {
  const first = placed.findIndex(({ y, heightPx }) => y + heightPx > top);
  if (first === -1) return [];
  const behind = placed.findIndex(({ y }) => y >= bottom);
  return placed.slice(first, behind === -1 ? undefined : behind);
}
