/**
 * SNAP-I18: judges when an ApplicationSnapshot reports its volumes as cut, by the status of their contents. The status
 * of a VolumeSnapshot is only a copy, and does not count.
 */
import { resourceName } from '../../../src/kube/object.ts';
import {
  contents,
  groupContents,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshotContent,
} from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, CUT_SEEN } from '../../../src/lifecycles/snapshot/names.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import { type Court, mayBeLate } from './judge.ts';

/** Milliseconds within which a content's sign must be reported, if nothing delays a controller. */
const SIGN_MS = 1_500;

type Content = VolumeSnapshotContent | VolumeGroupSnapshotContent;

interface Reported {
  /**
   * Simulated time at which the content first had a creationTime, in milliseconds. `readyToUseMs`: the same for
   * readyToUse.
   */
  readonly creationTimeMs?: number;
  readonly readyToUseMs?: number;
}

export class CutSignJudge {
  readonly #court: Court;
  /** The signs of the cut that VolumeSnapshotContents have shown, keyed by the UID of their VolumeSnapshot. */
  readonly #reported = new Map<string, Reported>();
  readonly #snapshots = new Map<string, ApplicationSnapshot>();
  /** Simulated time at which a snapshot's status had all UIDs of its volumes, keyed by the UID of the snapshot. */
  readonly #madeMs = new Map<string, number>();
  readonly #judged = new Set<string>();

  constructor(court: Court) {
    this.#court = court;
    court.views.listen(({ hook }) => {
      this.#lookAtHook(hook);
    });
    court.api.onCommit((entry) => {
      this.#look(entry);
    });
    court.api.onRestore(() => {
      this.#restoreOlder(court.api);
    });
  }

  /** Drops the signs that a restored server no longer has. Cuts that the backup already reports were judged before. */
  #restoreOlder(api: SimApi): void {
    this.#reported.clear();
    for (const kind of [contents, groupContents])
      for (const each of api.peek(kind)) this.#keep(each);
    this.#judged.clear();
    this.#snapshots.clear();
    const all = api.peek(applicationSnapshots) as unknown as readonly ApplicationSnapshot[];
    for (const snapshot of all) this.#keepSnapshot(snapshot);
    for (const uid of reportedIn(api, all)) this.#judged.add(uid);
  }

  #look({ resource, type, object }: Entry): void {
    if (type === 'Delete') return;
    if (resource === resourceName(contents) || resource === resourceName(groupContents)) {
      this.#keep(object);
    }
    if (resource === resourceName(applicationSnapshots)) {
      this.#lookAtSnapshot(object as unknown as ApplicationSnapshot);
    }
  }

  /**
   * Stores the snapshot and returns true. For a window returns false: `judge-windows.ts` judges other clients' cuts.
   */
  #keepSnapshot(snapshot: ApplicationSnapshot): boolean {
    if (snapshot.spec.window !== undefined) return false;
    this.#snapshots.set(snapshot.metadata?.uid ?? '', snapshot);
    return true;
  }

  #lookAtSnapshot(snapshot: ApplicationSnapshot): void {
    if (!this.#keepSnapshot(snapshot)) return;
    const { uid = '' } = snapshot.metadata ?? {};
    const { cutObservedAt, failure } = snapshot.status ?? {};
    if (signalsOf(snapshot).length > 0 && !this.#madeMs.has(uid)) {
      this.#madeMs.set(uid, this.#court.world.elapsedMs);
    }
    if (cutObservedAt !== undefined) this.#judge(uid);
    else if (failure?.reason === 'CutDeadlineExceeded') this.#judgeMissed(uid);
  }

  #keep(object: Stored): void {
    const { spec, status = {} } = object as unknown as Content;
    const ref = 'volumeSnapshotRef' in spec ? spec.volumeSnapshotRef : spec.volumeGroupSnapshotRef;
    const nowMs = this.#court.world.elapsedMs;
    const { uid = '' } = ref;
    this.#reported.set(uid, {
      ...(status.creationTime === undefined ? {} : { creationTimeMs: nowMs }),
      ...(status.readyToUse === true ? { readyToUseMs: nowMs } : {}),
      ...this.#reported.get(uid),
    });
  }

  /** Takes the report of a cut from a hook: a snapshot reports a cut first by an annotation on its hooks. */
  #lookAtHook(hook: ExecutionHook): void {
    if (!reportsCut(hook)) return;
    for (const { uid } of hook.metadata?.ownerReferences ?? []) this.#judge(uid);
  }

  #judge(uid: string): void {
    const snapshot = this.#snapshots.get(uid);
    if (snapshot === undefined || this.#judged.has(uid)) return;
    this.#judged.add(uid);
    const reportedMs = this.#reportedMs(snapshot);
    if (reportedMs === null) {
      this.#violate(snapshot, 'is called cut, and a content has not reported its cut');
      return;
    }
    this.#judgeDelay(snapshot, reportedMs);
  }

  #judgeMissed(uid: string): void {
    const snapshot = this.#snapshots.get(uid);
    if (snapshot === undefined || this.#judged.has(uid)) return;
    this.#judged.add(uid);
    const reportedMs = this.#reportedMs(snapshot);
    if (reportedMs !== null) this.#judgeDelay(snapshot, reportedMs);
  }

  #judgeDelay(snapshot: ApplicationSnapshot, reportedMs: number): void {
    const { uid = '' } = snapshot.metadata ?? {};
    const knownMs = Math.max(reportedMs, this.#madeMs.get(uid) ?? 0);
    if (mayBeLate(this.#court, knownMs)) return;
    const lateMs = this.#court.world.elapsedMs - knownMs;
    if (lateMs > SIGN_MS) this.#violate(snapshot, `is called cut ${lateMs} ms after its contents`);
  }

  /** Simulated time at which the last content reported its cut, in milliseconds; null if one has not. */
  #reportedMs(snapshot: ApplicationSnapshot): number | null {
    const times = signalsOf(snapshot).map(({ uid, signal }) => {
      const { creationTimeMs, readyToUseMs } = this.#reported.get(uid) ?? {};
      return (signal === 'creationTime' ? creationTimeMs : readyToUseMs) ?? null;
    });
    return times.length === 0 || times.includes(null) ? null : Math.max(...times.map(Number));
  }

  #violate({ metadata }: ApplicationSnapshot, why: string): void {
    this.#court.world.violate('SNAP-I18', `snapshot ${metadata?.name ?? ''} ${why}`);
  }
}

/** UIDs of the snapshots that are reported as cut, in their status or by a hook. */
function reportedIn(api: SimApi, all: readonly ApplicationSnapshot[]): readonly string[] {
  const hooks = api.peek(executionHooks) as unknown as readonly ExecutionHook[];
  const cut = all.filter(({ status }) => status?.cutObservedAt !== undefined);
  const owners = hooks
    .filter(reportsCut)
    .flatMap(({ metadata }) => metadata?.ownerReferences ?? []);
  return [...cut.map(({ metadata }) => metadata?.uid ?? ''), ...owners.map(({ uid }) => uid)];
}

function reportsCut({ metadata = {} }: ExecutionHook): boolean {
  const { annotations = {} } = metadata;
  return annotations[CUT_RELEASE] !== undefined || annotations[CUT_SEEN] !== undefined;
}

/** The UIDs of the objects to be cut, each with its sign of the cut. Empty until all UIDs are in the status. */
function signalsOf({ status = {} }: ApplicationSnapshot): { uid: string; signal: string }[] {
  const { volumes = [], volumeGroupSnapshotName, volumeGroupSnapshotUID } = status;
  const signal = volumes[0]?.cutSignal ?? 'creationTime';
  if (volumeGroupSnapshotName !== undefined) {
    return volumeGroupSnapshotUID === undefined ? [] : [{ uid: volumeGroupSnapshotUID, signal }];
  }
  const made = volumes.flatMap(({ volumeSnapshotUID: uid, cutSignal }) =>
    uid === undefined ? [] : [{ uid, signal: cutSignal }],
  );
  return made.length === volumes.length ? made : [];
}
