/**
 * Judges the time between two windows of a guard.
 *
 *  SNAP-W14 After a window without any cut, the next one opens only after a rest that is as long as the freeze was.
 */
import { type GuardCourt, violateGuard } from './guard-court.ts';
import { admittedIn, type GuardWindows, type WindowView } from './guard-windows.ts';
import { mayBeLate } from './judge.ts';

/** Milliseconds by which times in a window may be earlier than the write of the window. */
const WRITTEN_MS = 1_000;

export function judgeRests(court: GuardCourt, windows: GuardWindows): void {
  windows.listen((view) => {
    if (view.before === null) judgeRest(court, windows, view);
  });
}

function judgeRest(court: GuardCourt, { all }: GuardWindows, { uid, name }: WindowView): void {
  const { world, troubles, api } = court;
  const previous = [...all.values()].findLast((each) => each.uid !== uid);
  if (previous === undefined || troubles.has('clocks') || api.restores > 0) return;
  const { frozenMs, closedMs } = previous;
  if (frozenMs === null || closedMs === null || mayBeLate(court, frozenMs)) return;
  const restMs = world.elapsedMs - closedMs;
  const earlyMs = closedMs - frozenMs - restMs - WRITTEN_MS;
  if (earlyMs <= 0 || !isVain(previous)) return;
  const why = `is opened ${earlyMs} ms before the application has rested from ${previous.name}`;
  violateGuard(court, 'SNAP-W14', `window ${name} ${why}`);
}

/** True if the window has frozen, but none of its objects was cut. A window that a user deletes does not count. */
function isVain(view: WindowView): boolean {
  const { metadata, status = {} } = view.window;
  const { executionHookNames = [] } = status;
  if (metadata?.deletionTimestamp !== undefined || executionHookNames.length === 0) return false;
  return admittedIn(view).every(({ outcome }) => outcome !== 'Cut');
}
