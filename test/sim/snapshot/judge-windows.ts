/**
 * Judges the windows of a guard while they are open. A window is an ApplicationSnapshot with hooks, so all other
 * judges check it too.
 *
 *  SNAP-W1 A window admits nothing before all its hooks have frozen.
 *  SNAP-W2 A window admits nothing after its end, and nothing that another window has admitted.
 *  SNAP-W3 A window has its verdicts as soon as its hooks have thawed, even if its snapshots are not ready.
 *  SNAP-W7 A window admits no member of a group, because it admits the group itself.
 *  SNAP-W4 A window closes and thaws as soon as it waits for no snapshot.
 *  SNAP-W6 Only one window is open at a time.
 *  SNAP-W11 The spec, owner and labels of a window never change.
 */
import { sameJson } from '../../../src/controller/same-json.ts';
import type {
  AdmittedObject,
  ApplicationSnapshot,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { DEFAULT_CUT_DEADLINE_SECONDS } from '../../../src/lifecycles/snapshot/names.ts';
import type { ForeignSnapshots } from './foreign-snapshots.ts';
import { type GuardCourt, violateGuard } from './guard-court.ts';
import { admittedIn, type GuardWindows, isOver, type WindowView } from './guard-windows.ts';
import type { HookView } from './hook-views.ts';
import { mayBeLate } from './judge.ts';

/** Milliseconds within which an admitted object must appear. A window without one closes after this time. */
const APPEARS_MS = 5_000;
/** Milliseconds that reads, writes and watches of an undisturbed server may take. */
const NOTICED_MS = 2_000;
/** Milliseconds that the probe before a thaw, and the wait of a hook for another hook's thaw, may take. */
const THAW_MS = 6_000;

interface Records {
  readonly windows: GuardWindows;
  readonly foreign: ForeignSnapshots;
}

export function judgeWindows(court: GuardCourt, records: Records): void {
  /** UIDs of the windows whose hooks have thawed. */
  const thawed = new Set<string>();
  records.windows.listen((view) => {
    judgeWindow(court, records, view);
    if (isOpenSince(view)) awaitClose(court, records, view);
    if (!isThawed(view) || thawed.has(view.uid)) return;
    thawed.add(view.uid);
    awaitVerdicts(court, records, view);
  });
}

/** True if the window began to admit with this change. */
function isOpenSince({ before, window }: WindowView): boolean {
  const isFrozen = (each: ApplicationSnapshot | null): boolean =>
    each?.status?.cutRequestedAt !== undefined;
  return isFrozen(window) && !isFrozen(before) && !isOver(window);
}

/** SNAP-W4: also finds a window that never closes. */
function awaitClose(court: GuardCourt, records: Records, view: WindowView): void {
  const { world } = court;
  const leftMs = latestCloseMs(view, records.foreign) + NOTICED_MS + 1 - world.elapsedMs;
  world.after(Math.max(1, leftMs), () => {
    const { frozenMs, closedMs, name } = view;
    if (!isKnown(records, view) || closedMs !== null || mayBeLate(court, frozenMs ?? 0)) return;
    const lateMs = world.elapsedMs - latestCloseMs(view, records.foreign) - NOTICED_MS;
    if (lateMs <= 0) awaitClose(court, records, view);
    else violateGuard(court, 'SNAP-W4', `window ${name} is open, and should have closed`);
  });
}

/** False if the window was deleted, or if the server was restored to a state before it. */
function isKnown({ windows }: Records, view: WindowView): boolean {
  return windows.all.get(view.uid) === view && !view.isDeleted;
}

/** True if the status has the evidence of all hooks, so that nothing delays the verdicts. */
function isThawed({ window: { status = {} } }: WindowView): boolean {
  const { closedAt, failure, hooks = [], executionHookNames = [] } = status;
  return (
    closedAt !== undefined && failure === undefined && hooks.length >= executionHookNames.length
  );
}

/** SNAP-W3: the verdicts follow soon after the thaw. */
function awaitVerdicts(court: GuardCourt, records: Records, view: WindowView): void {
  const thawedMs = court.world.elapsedMs;
  court.world.after(NOTICED_MS, () => {
    const { status = {}, metadata = {} } = view.window;
    if (!isKnown(records, view) || metadata.deletionTimestamp !== undefined) return;
    if ((status.completedAt ?? status.failure) !== undefined || mayBeLate(court, thawedMs)) return;
    const what = `the hooks of window ${view.name} have thawed since ${NOTICED_MS} ms`;
    violateGuard(court, 'SNAP-W3', `${what}, and it has no verdict`);
  });
}

function judgeWindow(court: GuardCourt, records: Records, view: WindowView): void {
  const { before, window, name } = view;
  judgeAlone(court, records.windows);
  if (before !== null && !sameJson(before.spec, window.spec)) {
    violateGuard(court, 'SNAP-W11', `the spec of window ${name} has changed`);
  }
  const known = new Set(
    (before === null ? [] : admittedIn({ window: before })).map(({ uid }) => uid),
  );
  for (const entry of admittedIn(view)) {
    if (known.has(entry.uid)) continue;
    judgeAlreadyAdmitted(court, records.windows, entry);
    judgeMember(court, entry);
    if (entry.unfrozen === undefined) judgeAdmission(court, view, entry);
  }
  if (isOver(window) && (before === null || !isOver(before))) judgeClose(court, records, view);
}

/** SNAP-W6: only one window is open. */
function judgeAlone(court: GuardCourt, { all }: GuardWindows): void {
  const open = [...all.values()].filter(
    ({ isDeleted, closedMs }) => !isDeleted && closedMs === null,
  );
  if (open.length <= 1) return;
  const names = open.map(({ name }) => name).join(', ');
  violateGuard(court, 'SNAP-W6', `these windows are open at a time: ${names}`);
}

/** SNAP-W2: only one window admits an object. */
function judgeAlreadyAdmitted(
  court: GuardCourt,
  windows: GuardWindows,
  { uid, name }: AdmittedObject,
): void {
  const all = windows.with(uid).map((view) => view.name);
  if (all.length > 1) violateGuard(court, 'SNAP-W2', `${name} is admitted to ${all.join(', ')}`);
}

/** SNAP-W7: a window admits only objects that clients have requested. */
function judgeMember(court: GuardCourt, { uid, name }: AdmittedObject): void {
  if (court.requestOf(uid) !== undefined) return;
  violateGuard(court, 'SNAP-W7', `${name} is admitted, and no client has requested it`);
}

/** SNAP-W1: all hooks have frozen. SNAP-W2: the window is open. */
function judgeAdmission(court: GuardCourt, view: WindowView, entry: AdmittedObject): void {
  const { before, name, window } = view;
  if (before === null || isOver(before) || isOver(window)) {
    violateGuard(court, 'SNAP-W2', `${entry.name} is admitted to window ${name}, which is closed`);
  }
  const hooks = hooksOf(court, view);
  // A volume that no pod uses needs no freeze.
  const isUsed = window.status?.volumes?.some(({ inUse }) => inUse) !== false;
  const isFrozen =
    (hooks.length > 0 || !isUsed) &&
    hooks.every(({ hook }) => hook.status?.preActionSucceed === true);
  if (isFrozen) return;
  violateGuard(court, 'SNAP-W1', `${entry.name} is admitted, and not all hooks have frozen`);
}

/** The hooks of a window. If the server was restored, the last hook with each name counts. */
function hooksOf({ views }: GuardCourt, { uid }: WindowView): readonly HookView[] {
  const own = [...views.all.values()].filter(
    ({ hook }) => hook.metadata?.ownerReferences?.[0]?.uid === uid,
  );
  return [...new Map(own.map((view) => [view.name, view])).values()];
}

/** SNAP-W4: a window closes in time, and its hooks are released soon after that. */
function judgeClose(court: GuardCourt, { foreign }: Records, view: WindowView): void {
  const { world } = court;
  const { frozenMs, name } = view;
  if (frozenMs === null || mayBeLate(court, frozenMs)) return;
  const lateMs = world.elapsedMs - latestCloseMs(view, foreign) - NOTICED_MS;
  if (lateMs > 0) violateGuard(court, 'SNAP-W4', `window ${name} closes ${lateMs} ms late`);
  if (court.troubles.has('refusals')) return;
  const closedMs = world.elapsedMs;
  world.after(THAW_MS, () => {
    const frozen = hooksOf(court, view).find((hook) => hook.releasedMs === null && !hook.isDeleted);
    if (frozen === undefined || mayBeLate(court, closedMs)) return;
    const what = `window ${name} is closed since ${THAW_MS} ms`;
    violateGuard(court, 'SNAP-W4', `${what}, and hook ${frozen.name} is not released`);
  });
}

function latestCloseMs(view: WindowView, foreign: ForeignSnapshots): number {
  const { spec, status } = view.window;
  const frozenMs = view.frozenMs ?? 0;
  const frozen = (status?.admitted ?? []).filter(({ unfrozen }) => unfrozen === undefined);
  if (frozen.length === 0) return frozenMs + APPEARS_MS;
  const deadlineMs = (spec.cutDeadlineSeconds ?? DEFAULT_CUT_DEADLINE_SECONDS) * 1_000;
  const admittedMs = ({ uid }: AdmittedObject): number => view.admittedMs.get(uid) ?? 0;
  const holdMs = (spec.window?.holdOpenSeconds ?? 0) * 1_000;
  const heldMs = Math.min(Math.max(...frozen.map(admittedMs)) + holdMs, frozenMs + deadlineMs / 2);
  for (let openMs = heldMs; ;) {
    const settledMs = frozen.map((entry) =>
      settledAtMs(entry, { admittedMs: admittedMs(entry), openMs }, foreign),
    );
    const latestMs = Math.min(frozenMs + deadlineMs, Math.max(heldMs, ...settledMs));
    if (latestMs <= openMs) return latestMs;
    openMs = latestMs;
  }
}

/**
 * Simulated time at which the window no longer waits for the object; Infinity: it waits until the deadline. Until
 * `openMs`, the window is open for other objects, so it also waits for this object if it is late.
 */
function settledAtMs(
  entry: AdmittedObject,
  { admittedMs, openMs }: { readonly admittedMs: number; readonly openMs: number },
  foreign: ForeignSnapshots,
): number {
  const { uid } = entry;
  const appearsMs = admittedMs + APPEARS_MS;
  const storedMs = foreign.storedMs(uid) ?? Infinity;
  // If the object and its content are deleted before the window may close, the object counts as never created.
  const deletedAtMs = foreign.deletedMs(uid) ?? Infinity;
  const deletedMs = Math.max(deletedAtMs, appearsMs);
  const reportedMs = deletedAtMs <= openMs ? Infinity : (foreign.reportedMs(entry) ?? Infinity);
  const missingMs = storedMs > Math.max(appearsMs, openMs) + NOTICED_MS ? appearsMs : Infinity;
  return Math.min(reportedMs, deletedMs, missingMs);
}
