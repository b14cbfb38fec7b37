/**
 * Judges a verdict by its parts. The evidence of each hook is kept (SNAP-I13). For a good verdict, each volume is cut
 * (SNAP-CASE39), at one moment (SNAP-I22), and its snapshot still exists (SNAP-I23).
 */
import { resourceName } from '../../../src/kube/object.ts';
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type Verdict,
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Entry } from '../controller/sim-api.ts';
import type { Cut } from './account.ts';
import { type Court, mayBeLate } from './judge.ts';

/** Milliseconds that a watch, and the writes after a verdict was decided, may take. */
const NOTICED_MS = 1_000;

const SINGLE = resourceName(snapshots);
const GROUPS = resourceName(groupSnapshots);
const SNAPSHOTS = resourceName(applicationSnapshots);

type Status = NonNullable<ApplicationSnapshot['status']>;

export class PartsJudge {
  readonly #court: Court;
  readonly #judged = new Set<string>();
  /** Simulated time at which a VolumeSnapshot or VolumeGroupSnapshot was deleted, in milliseconds, keyed by UID. */
  readonly #deletedMs = new Map<string, number>();

  constructor(court: Court) {
    this.#court = court;
    court.api.onCommit((entry) => {
      this.#look(entry);
    });
    court.api.onRestore(() => {
      this.#judged.clear();
      this.#deletedMs.clear();
    });
  }

  #look(entry: Entry): void {
    const { resource, type, object } = entry;
    if (resource === SINGLE || resource === GROUPS) this.#keepDeletion(entry);
    if (resource === SNAPSHOTS && type !== 'Delete') {
      this.#lookAtSnapshot(object as unknown as ApplicationSnapshot);
    }
  }

  #keepDeletion({ type, object: { metadata } }: Entry): void {
    const { uid = '', deletionTimestamp } = metadata;
    const isDeleted = type === 'Delete' || deletionTimestamp !== undefined;
    if (!isDeleted || this.#deletedMs.has(uid)) return;
    this.#deletedMs.set(uid, this.#court.world.elapsedMs);
  }

  #lookAtSnapshot(snapshot: ApplicationSnapshot): void {
    const { metadata, status = {} } = snapshot;
    const { uid = '', name = '' } = metadata ?? {};
    const { phase, verdict } = status;
    if (phase !== 'Completed' || verdict === undefined || this.#judged.has(uid)) return;
    this.#judged.add(uid);
    const found = this.#whyNotGood(snapshot, verdict) ?? judgeEvidence(status);
    if (found === null) return;
    const [invariant, why] = found;
    const what = `snapshot ${name} is called ${verdict.value}, and ${why}`;
    this.#court.world.violate(invariant, what);
  }

  /**
   * The reason why a good verdict is wrong. The objects of a window are cut for other clients: `judge-window-marks.ts`
   * judges them.
   */
  #whyNotGood({ spec, status = {} }: ApplicationSnapshot, { value }: Verdict): Found {
    if (spec.window !== undefined) return null;
    if (value !== 'ApplicationConsistent' && value !== 'CrashConsistent') return null;
    return this.#judgeVolumes(status) ?? this.#judgeDeletions(status);
  }

  #judgeVolumes(status: Status): Found {
    const cuts = cutsOf(this.#court, status);
    for (const { claimName } of status.volumes ?? []) {
      const cut = cuts.find(({ claim }) => claim === claimName);
      if (cut === undefined) return ['SNAP-CASE39', `the volume of ${claimName} is not cut`];
      if (!cut.isAtomic) return ['SNAP-I22', `the volume of ${claimName} was copied file by file`];
    }
    return null;
  }

  #judgeDeletions(status: Status): Found {
    for (const uid of uidsOf(status)) {
      const deletedMs = this.#deletedMs.get(uid);
      if (deletedMs === undefined || mayBeLate(this.#court, deletedMs)) continue;
      const sinceMs = this.#court.world.elapsedMs - deletedMs;
      if (sinceMs > NOTICED_MS)
        return ['SNAP-I23', `what was cut was deleted ${sinceMs} ms before`];
    }
    return null;
  }
}

type Found = readonly [invariant: string, why: string] | null;

/** Each hook has evidence. For ApplicationConsistent, all its targets froze, and the cut was the cause of its thaw. */
function judgeEvidence({ executionHookNames = [], hooks = [], verdict }: Status): Found {
  for (const hookName of executionHookNames) {
    const kept = hooks.find(({ name }) => name === hookName);
    if (kept === undefined) return ['SNAP-I13', `nothing is known of its hook ${hookName}`];
    if (verdict?.value !== 'ApplicationConsistent') continue;
    const { preActionSucceed, releaseCause } = kept;
    const isKnown = preActionSucceed === true && releaseCause === 'Cut';
    if (!isKnown)
      return ['SNAP-I13', `its hook ${hookName} is not known to have frozen until the cut`];
  }
  return null;
}

/** UIDs of the VolumeSnapshots and the VolumeGroupSnapshot. */
function uidsOf({ volumeGroupSnapshotUID, volumes = [] }: Status): ReadonlySet<string> {
  const single = volumes.map(({ volumeSnapshotUID }) => volumeSnapshotUID);
  return new Set([volumeGroupSnapshotUID, ...single].flatMap((uid) => uid ?? []));
}

/** The cuts that the storage really made for the snapshot. */
export function cutsOf({ account }: Court, status: Status = {}): readonly Cut[] {
  const uids = uidsOf(status);
  // After a restore of the server, the storage may cut a snapshot again. Then the content has the last cut.
  return account.cuts.filter(({ snapshotUid, claim }, index, all) => {
    const last = all.findLastIndex((cut) => cut.snapshotUid === snapshotUid && cut.claim === claim);
    return uids.has(snapshotUid) && last === index;
  });
}
