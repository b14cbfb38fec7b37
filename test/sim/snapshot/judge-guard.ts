/**
 * Judges a guard: SNAP-W1 to SNAP-W11, SNAP-W13 and SNAP-W14. Its windows, answers and marks have their own judges.
 *
 *  SNAP-W9 A controller changes nothing but marks on a snapshot of another client.
 *  SNAP-W13 No window is deleted before its end. In the end, the guard's status names the newest window.
 *  SNAP-W14 After a window without any cut, the next one opens only after a rest that is as long as the freeze was.
 */
import { sameJson } from '../../../src/controller/same-json.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type SnapshotGuard,
  snapshotGuards,
  applicationSnapshots,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Entry, Stored } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';
import { ForeignSnapshots } from './foreign-snapshots.ts';
import { type GuardCourt, violateGuard } from './guard-court.ts';
import { admittedIn, GuardWindows, type WindowView } from './guard-windows.ts';
import { mayBeLate } from './judge.ts';
import { RequestJudge } from './judge-requests.ts';
import { MarkJudge } from './judge-window-marks.ts';
import { judgeWindows } from './judge-windows.ts';
import { NAMESPACE } from './sim-cluster.ts';
import type { ThirdPartyRequest } from './third-parties.ts';

const WINDOWS = resourceName(applicationSnapshots);
const OBJECTS: ReadonlySet<string> = new Set([snapshots, groupSnapshots].map(resourceName));

export class GuardJudge {
  readonly #court: GuardCourt;
  readonly #windows: GuardWindows;
  readonly #requests: RequestJudge;
  readonly #marks: MarkJudge;
  /** First spec of each snapshot of another client, keyed by UID. */
  readonly #specs = new Map<string, Stored['spec']>();

  constructor(court: GuardCourt) {
    const { api, world } = court;
    const nowMs = (): number => world.elapsedMs;
    const windows = new GuardWindows(api, nowMs);
    const foreign = new ForeignSnapshots(api, nowMs);
    this.#court = court;
    this.#windows = windows;
    judgeWindows(court, { windows, foreign });
    judgeRests(court, windows);
    this.#marks = new MarkJudge(court, windows, foreign);
    this.#requests = new RequestJudge(court, windows);
    api.onCommit((entry) => {
      this.#judgeSpec(entry);
    });
  }

  answered(request: ThirdPartyRequest): void {
    this.#requests.answered(request);
  }

  /** Call when a controller sends a write. */
  sent({ host, verb, resource, object }: SimWrite): void {
    const { name = '' } = object.metadata ?? {};
    if (OBJECTS.has(resource) && this.#isForeign(name) && verb !== 'patch') {
      violateGuard(this.#court, 'SNAP-W9', `${host.name} sends ${verb} ${name}`);
    }
    if (resource !== WINDOWS || verb !== 'delete' || !this.#isUnfinished(name)) return;
    violateGuard(this.#court, 'SNAP-W13', `${host.name} deletes window ${name} before its end`);
  }

  #isForeign(name: string): boolean {
    return this.#court.guard.requests.some((plan) => name.split('-')[0] === plan.name);
  }

  #isUnfinished(window: string): boolean {
    const view = [...this.#windows.all.values()].findLast(({ name }) => name === window);
    return view !== undefined && view.window.status?.completedAt === undefined;
  }

  /** Call at the end of the seed, for SNAP-W3, SNAP-W5 and SNAP-W13. */
  close(): void {
    const { api, cluster } = this.#court;
    if (api.restores > 0 || cluster.isEnding) return;
    this.#marks.close();
    this.#judgeStatus();
  }

  /** SNAP-W9: the spec of another client's snapshot never changes. */
  #judgeSpec({ resource, object }: Entry): void {
    const { uid = '', name = '' } = object.metadata;
    if (!OBJECTS.has(resource) || this.#court.requestOf(uid) === undefined) return;
    const spec = this.#specs.get(uid) ?? object.spec;
    this.#specs.set(uid, spec);
    if (!sameJson(spec, object.spec)) violateGuard(this.#court, 'SNAP-W9', `${name} has changed`);
  }

  /** SNAP-W13: the status of the guard names the newest window. */
  #judgeStatus(): void {
    const { api, guard } = this.#court;
    const key = { namespace: NAMESPACE, name: guard.name };
    const found = api.find(snapshotGuards, key) as unknown as SnapshotGuard | undefined;
    if (found === undefined) return;
    const kept = [...this.#windows.all.values()].filter(({ isDeleted }) => !isDeleted);
    const { window, windowCount = 0 } = found.status ?? {};
    const shown = newestOf(windowCount, window?.name);
    const are = newestOf(kept.length, kept.at(-1)?.name);
    if (shown !== are)
      violateGuard(this.#court, 'SNAP-W13', `its status shows ${shown}, and there is ${are}`);
  }
}

function newestOf(count: number, name: string = 'none'): string {
  return `${name}, the newest of ${count}`;
}

/** Milliseconds by which times in a window may be earlier than the write of the window. */
const WRITTEN_MS = 1_000;

function judgeRests(court: GuardCourt, windows: GuardWindows): void {
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
