/**
 * The simulated snapshotter with its storage. In the order of the CSI snapshotter, it creates a content for each
 * VolumeSnapshot or VolumeGroupSnapshot, cuts it, and reports it as ready. The content has the storage's answer at
 * once; the snapshot gets a copy seconds later. Its own requests never fail, but the storage may be late, silent, or
 * answer after the deletion. The storage's clock is wrong.
 */
import { contents, groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import type { JsonObject } from '../../../src/kube/object.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { Entry, Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import { contentKindOf, copyStatus, cutStatusOf, makeStranger, marksOf } from './sim-contents.ts';
import type { SimCluster } from './sim-cluster.ts';
import {
  isGroup,
  isMember,
  isReported,
  type Job,
  type JobOptions,
  makeContentOnce,
  makeJob,
} from './snapshot-jobs.ts';
import { type Admits, makeMembers, merge } from './snapshot-members.ts';

const FINALIZER = 'simulation/bound';

export interface SnapshotterOptions extends JobOptions {
  readonly random: Random;
  readonly cluster: SimCluster;
  readonly clockSkewMs: number;
  /** True if there are VolumeSnapshotContents of earlier snapshots with the same names, which were cut long ago. */
  readonly hasStrangers: boolean;
  readonly admits: Admits;
}

const LATE_MS = 90_000;
const MEMBER_RETRY_MS = 1_000;
/** Milliseconds until a status is copied at the latest. That is longer than a controller may wait by SNAP-I18. */
const SLOWEST_COPY_MS = 6_000;

export class Snapshotter {
  readonly #options: SnapshotterOptions;
  readonly #jobs = new Map<string, Job>();
  #pending = 0;

  constructor(options: SnapshotterOptions) {
    this.#options = options;
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
    options.api.onRestore(() => {
      this.#lookAgain();
    });
  }

  /** True if the snapshotter will still report something. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  #look({ resource, type, object }: Entry): void {
    const grouped = resource === resourceName(groupSnapshots);
    if (!grouped && (resource !== resourceName(snapshots) || isMember(object))) return;
    const { uid = '', deletionTimestamp } = object.metadata;
    const job = this.#jobs.get(uid);
    const isTerminating = type === 'Delete' || deletionTimestamp !== undefined;
    if (job === undefined && !isTerminating) this.#take(object, grouped);
    if (job !== undefined && isTerminating) this.#end(job);
  }

  /**
   * Looks at all objects again after a restore of the server: cuts those whose content has no handle, and reports the
   * others again.
   */
  #lookAgain(): void {
    const { api, random } = this.#options;
    for (const resource of [snapshots, groupSnapshots]) {
      for (const object of api.peek(resource)) {
        if (isMember(object)) continue;
        const known = this.#jobs.get(object.metadata.uid ?? '');
        const isKnown = known !== undefined && !known.isTerminating;
        const job = isKnown ? known : this.#makeAgain(object, known);
        this.#jobs.set(job.uid, job);
        this.#after(random.between(5, 2_000), () => {
          if (this.#find(job)?.metadata.deletionTimestamp !== undefined) this.#end(job);
          else if (isKnown) this.#reportAgain(job);
          else if (isReported(api, job)) this.#reportReady(job);
          else this.#bind(job);
        });
      }
    }
  }

  /** The job for an object that the restored server has again. The storage keeps its own state. */
  #makeAgain(object: Stored, known: Job | undefined): Job {
    const anew = { isLate: false, isCut: false, reportedMs: 0, isTerminating: false };
    if (known !== undefined) return { ...known, ...anew };
    const grouped = object.kind === groupSnapshots.kind;
    return makeJob(object, { grouped, ...this.#options });
  }

  #reportAgain(job: Job): void {
    if (this.#find(job) === undefined || job.isTerminating) return;
    makeContentOnce(this.#options.api, job);
    if (!job.isCut) return;
    this.#report(job, cutStatusOf(job, job.reportedMs), marksOf(job));
    this.#reportReady(job);
  }

  #take(object: Stored, grouped: boolean): void {
    const job = makeJob(object, { grouped, ...this.#options });
    this.#jobs.set(job.uid, job);
    this.#after(this.#options.random.between(5, 150), () => {
      this.#bind(job);
    });
    this.#options.world.note(`the snapshotter takes ${job.key.name}`);
  }

  #after(ms: number, work: () => void): void {
    this.#pending += 1;
    this.#options.world.after(ms, () => {
      this.#pending -= 1;
      work();
    });
  }

  /** Binds the content first, and then requests the cut from the storage. */
  #bind(job: Job): void {
    const object = this.#find(job);
    if (object === undefined || job.isTerminating) return;
    const { api, random, hasStrangers } = this.#options;
    const body = { metadata: { finalizers: [FINALIZER] } };
    api.patch(job.resource, job.key, { type: 'merge', body });
    if (hasStrangers && random.chance(0.3)) makeStranger(api, job);
    if (job.kind === 'silent' && random.chance(0.5)) return;
    makeContentOnce(api, job);
    this.#copyLater(job);
    this.#ask(job, random);
  }

  /** Copies the status of the content to the snapshot, which gets it later than the content. */
  #copyLater(job: Job): void {
    const { random, api } = this.#options;
    this.#after(random.between(5, random.chance(0.4) ? SLOWEST_COPY_MS : 150), () => {
      if (this.#find(job) !== undefined) copyStatus(api, job);
    });
  }

  #ask(job: Job, random: Random): void {
    const beginMs = random.between(5, random.chance(0.4) ? 2_500 : 400);
    switch (job.kind) {
      case 'silent':
        return;
      case 'late':
        job.isLate = true;
        this.#after(random.between(1_000, LATE_MS), () => {
          this.#cut(job);
        });
        return;
      case 'failsFirst':
        this.#after(beginMs, () => {
          this.#report(job, { error: { message: 'the storage is busy' } });
          this.#copyLater(job);
          this.#after(random.between(1_000, 30_000), () => {
            this.#cut(job);
          });
        });
        return;
      case 'early':
        // The driver sets creationTime before it cuts. Only its readyToUse can be trusted.
        this.#after(beginMs, () => {
          this.#reportCut(job);
          this.#after(random.between(50, 1_500), () => {
            this.#cut(job);
          });
        });
        return;
      case 'lostContent':
        // Simulates a user who deletes the content during the cut.
        this.#after(beginMs, () => {
          this.#cut(job);
          this.#removeContent(job);
        });
        return;
      case 'usual':
      case 'neverReady':
        this.#after(beginMs, () => {
          this.#cut(job);
        });
        return;
      default:
        job.kind satisfies never;
    }
  }

  /** Cuts the volumes. The storage carries out the request even if the object was deleted. */
  #cut(job: Job): void {
    const { random, account, cluster } = this.#options;
    const uid = job.uid;
    const isAtomic = !job.isCopied;
    const ends = job.claimsCut.map((claim) =>
      account.beginCut({ claim, snapshotUid: uid, isAtomic }, cluster.on(claim)),
    );
    this.#after(random.between(0, 200), () => {
      for (const end of ends) end();
      Object.assign(job, { isCut: true, isLate: false });
      this.#reportCut(job);
      if (job.isTerminating) {
        this.#remove(job);
        return;
      }
      this.#after(random.between(20, random.chance(0.2) ? 20_000 : 500), () => {
        this.#reportReady(job);
      });
    });
  }

  #reportCut(job: Job): void {
    const { world, clockSkewMs } = this.#options;
    job.reportedMs = world.wallMs + clockSkewMs;
    this.#report(job, cutStatusOf(job, job.reportedMs), marksOf(job));
    this.#copyLater(job);
  }

  #reportReady(job: Job): void {
    if (this.#find(job) === undefined || job.isTerminating || job.kind === 'neverReady') return;
    if (isGroup(job)) {
      this.#makeMembers(job);
      return;
    }
    this.#report(job, { readyToUse: true });
    this.#copyLater(job);
  }

  #makeMembers(job: Job): void {
    this.#pending += 1;
    void this.#untilMembers(job).finally(() => {
      this.#pending -= 1;
    });
  }

  async #untilMembers(job: Job): Promise<void> {
    const { api, admits } = this.#options;
    const areMade = await makeMembers(api, job, admits);
    if (this.#find(job) === undefined || job.isTerminating) return;
    if (areMade) {
      this.#report(job, { readyToUse: true });
      this.#copyLater(job);
      return;
    }
    this.#after(MEMBER_RETRY_MS, () => {
      this.#reportReady(job);
    });
  }

  /** Ends the job of a deleted object. A content is not released before its requested cut is over. */
  #end(job: Job): void {
    if (job.isTerminating) return;
    job.isTerminating = true;
    if (!job.isLate) {
      this.#after(100, () => {
        this.#remove(job);
      });
    }
  }

  #remove(job: Job): void {
    const { api } = this.#options;
    this.#removeContent(job);
    const names = job.claims.map((claim) => `snapcontent-${claim}-${job.uid}`);
    for (const name of isGroup(job) ? names : []) {
      if (api.find(contents, { name }) !== undefined) api.delete(contents, { name }, {});
    }
    if (api.find(job.resource, job.key)?.metadata.uid !== job.uid) return;
    api.patch(job.resource, job.key, merge({ metadata: { finalizers: [] } }));
  }

  #find({ resource, key, uid }: Job): Stored | undefined {
    const found = this.#options.api.find(resource, key);
    return found?.metadata.uid === uid ? found : undefined;
  }

  /** Sets the status of the content, unless the content was deleted. */
  #report(job: Job, status: JsonObject, marks: JsonObject = {}): void {
    const { api } = this.#options;
    const kind = contentKindOf(job.resource);
    if (api.find(kind, { name: job.contentName }) === undefined) return;
    api.patch(kind, { name: job.contentName }, merge({ ...marks, status }));
  }

  #removeContent(job: Job): void {
    const { api } = this.#options;
    const kind = contentKindOf(job.resource);
    if (api.find(kind, { name: job.contentName }) === undefined) return;
    api.delete(kind, { name: job.contentName }, {});
  }
}
