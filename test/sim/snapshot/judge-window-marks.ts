/**
 * Judges the marks on the snapshots of other clients, by what was really frozen and cut.
 *
 *  SNAP-W3 The mark of an object is true for this very object, and never changes.
 *  SNAP-W5 An object that is cut after its window is marked Inconsistent. In the end, each object and its content
 *      have a mark.
 */
import { sameJson } from '../../../src/controller/same-json.ts';
import { resourceName } from '../../../src/kube/object.ts';
import { contents, groupContents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import type { AdmittedObject } from '../../../src/lifecycles/snapshot/kinds.ts';
import { VERDICT } from '../../../src/lifecycles/snapshot/names.ts';
import type { Stored } from '../controller/sim-api.ts';
import type { Cut } from './account.ts';
import type { ForeignSnapshots } from './foreign-snapshots.ts';
import { type GuardCourt, isPlainGuard, violateGuard } from './guard-court.ts';
import { admittedIn, type GuardWindows, type WindowView } from './guard-windows.ts';
import { tagOf } from './hook-views.ts';
import { isThawForgotten } from './judge.ts';
import { whyNotConsistent } from './judge-snapshots.ts';

const MARKED = [snapshots, groupSnapshots, contents, groupContents];
const MARKED_NAMES: ReadonlySet<string> = new Set(MARKED.map(resourceName));
const MEMBERS: ReadonlySet<string> = new Set([snapshots.kind, contents.kind]);
const CONSISTENT = 'ApplicationConsistent';
/** A cut that was reported more than this many milliseconds before the window closed must count. */
const SEEN_MS = 1_000;

export class MarkJudge {
  readonly #court: GuardCourt;
  readonly #windows: GuardWindows;
  readonly #foreign: ForeignSnapshots;

  constructor(court: GuardCourt, windows: GuardWindows, foreign: ForeignSnapshots) {
    this.#court = court;
    this.#windows = windows;
    this.#foreign = foreign;
    windows.listen((view) => {
      this.#judgeConstancy(view);
    });
    court.api.onCommit(({ resource, type, object }) => {
      if (MARKED_NAMES.has(resource) && type !== 'Delete') this.#judgeMark(object);
    });
  }

  /** Judges the marks that are left at the end of the seed. */
  close(): void {
    const { api } = this.#court;
    for (const resource of MARKED) {
      for (const object of api.peek(resource)) this.#judgeLast(object);
    }
    if (isPlainGuard(this.#court)) this.#judgePlain();
  }

  #violate(invariant: string, object: Stored, why: string): void {
    violateGuard(this.#court, invariant, `${object.metadata.name ?? ''} ${why}`);
  }

  /** SNAP-W3: a verdict does not change. */
  #judgeConstancy({ name, window, before }: WindowView): void {
    const now = new Map(admittedIn({ window }).map((entry) => [entry.uid, entry]));
    for (const { uid, verdict } of before === null ? [] : admittedIn({ window: before })) {
      if (verdict === undefined || sameJson(verdict, now.get(uid)?.verdict)) continue;
      violateGuard(this.#court, 'SNAP-W3', `window ${name} changes the verdict of ${uid}`);
    }
  }

  #judgeMark(object: Stored): void {
    const mark = object.metadata.labels?.[VERDICT];
    const uid = this.#foreign.uidOf(object);
    const request = this.#court.requestOf(uid);
    if (mark === undefined || mark === 'Inconsistent' || request === undefined) return;
    const cuts = this.#cutsOf(uid);
    if (mark !== CONSISTENT) {
      if (mark === 'CrashConsistent') this.#judgeUnfrozen(object, uid, cuts);
      return;
    }
    const why =
      cuts.length < request.claims.length ? 'not all of it is cut' : this.#whyFalse(uid, cuts);
    if (why !== null) this.#violate('SNAP-W3', object, `is called ${CONSISTENT}, and ${why}`);
  }

  #judgeUnfrozen(object: Stored, uid: string, cuts: readonly Cut[]): void {
    if (cuts.length === 0) this.#violate('SNAP-W8', object, 'has a verdict before its cut');
    if (cuts.some(({ isAtomic }) => !isAtomic)) {
      this.#violate('SNAP-W8', object, 'is called CrashConsistent, and was copied file by file');
    }
    const closedMs = this.#windows.with(uid)[0]?.closedMs ?? null;
    const isFrozen = this.#windows.entryOf(uid)?.unfrozen === undefined;
    const isLate = closedMs !== null && cuts.some(({ beganMs }) => beganMs > closedMs);
    if (isFrozen && isLate) {
      this.#violate('SNAP-W5', object, 'is not called Inconsistent, and was cut after its window');
    }
  }

  /** The last cut of each volume, since a storage may cut again after a restore of the server. */
  #cutsOf(uid: string): readonly Cut[] {
    const all = this.#court.account.cuts.filter(({ snapshotUid }) => snapshotUid === uid);
    return all.filter(
      (cut, index) => index === all.findLastIndex(({ claim }) => claim === cut.claim),
    );
  }

  #whyFalse(uid: string, cuts: readonly Cut[]): string | null {
    if (cuts.some(({ endedMs, isAtomic }) => !Number.isFinite(endedMs) || !isAtomic)) {
      return 'its cut is not whole';
    }
    const { account, views } = this.#court;
    const tags = new Set([...views.all.values()].map(({ hook }) => tagOf(hook)));
    const frozen = new Set(
      account.commands
        .filter(({ verb, tag }) => verb === 'freeze' && tag.startsWith('g.') && tags.has(tag))
        .flatMap(({ application }) => application ?? []),
    );
    const witnesses = [...frozen].filter((application) =>
      cuts.some((cut) => cut.witnesses.some((each) => each.application === application)),
    );
    if (witnesses.length === 0) return 'nothing on it was frozen';
    const own = this.#tagsOf(uid);
    return (
      witnesses
        .filter((each) => !isThawForgotten(this.#court, each, own))
        .map((each) => whyNotConsistent(each, cuts))
        .find((why) => why !== null) ?? null
    );
  }

  /** Tags of the hooks of the window that has admitted the object. */
  #tagsOf(uid: string): ReadonlySet<string> {
    const windows = new Set(this.#windows.with(uid).map((view) => view.uid));
    const hooks = [...this.#court.views.all.values()].map(({ hook }) => hook);
    const own = hooks.filter(({ metadata }) =>
      windows.has(metadata?.ownerReferences?.[0]?.uid ?? ''),
    );
    return new Set(own.map(tagOf));
  }

  /**
   * SNAP-W5: in the end, each admitted object has a mark. Exceptions: the object is terminating, a user has deleted its
   * window, no content proves that it is a member of its group, or it was admitted without a freeze and no cut of it was
   * reported.
   */
  #judgeLast(object: Stored): void {
    const entry = this.#windows.entryOf(this.#foreign.uidOf(object));
    if (entry === undefined || object.metadata.labels?.[VERDICT] !== undefined) return;
    const view = this.#windows.with(entry.uid)[0];
    if (view?.isDeleted === true || object.metadata.deletionTimestamp !== undefined) return;
    if (this.#isUnprovenMember(object, entry)) return;
    if (entry.unfrozen !== undefined && this.#foreign.reportedMs(entry) === undefined) return;
    this.#violate('SNAP-W5', object, 'has no verdict, and its window is over');
  }

  /** SNAP-W7: true if no content proves that the object is a member of the group. */
  #isUnprovenMember(object: Stored, { kind, uid }: AdmittedObject): boolean {
    const { api } = this.#court;
    if (kind !== 'VolumeGroupSnapshot' || !MEMBERS.has(object.kind ?? '')) return false;
    return !api.peek(groupContents).some((content) => this.#foreign.uidOf(content) === uid);
  }

  /** SNAP-W3 without faults: an object whose cut was reported in its window is consistent. */
  #judgePlain(): void {
    for (const view of this.#windows.all.values()) {
      if (view.window.status?.failure !== undefined || view.isDeleted) continue;
      for (const entry of admittedIn(view)) {
        const why = this.#whyPlain(view, entry);
        if (why !== null) violateGuard(this.#court, 'SNAP-W3', `${entry.name} ${why}`);
      }
    }
  }

  #whyPlain({ closedMs }: WindowView, entry: AdmittedObject): string | null {
    const { unfrozen, outcome, verdict } = entry;
    if (unfrozen !== undefined) return null;
    const reportedMs = this.#foreign.reportedMs(entry) ?? Infinity;
    if (outcome !== 'Cut') {
      const isSeen = closedMs !== null && reportedMs < closedMs - SEEN_MS;
      return isSeen ? `was cut before the close, and is ${outcome ?? 'of no outcome'}` : null;
    }
    const value = verdict?.value ?? 'not judged';
    return value === CONSISTENT ? null : `was cut while all was frozen, and is ${value}`;
  }
}
