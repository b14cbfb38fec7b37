/**
 * The simulated snapshotter with its storage: VolumeSnapshot and VolumeGroupSnapshot to content, to cut, to
 * ready, in the order of section 5 of the reference. What the storage answers is in the content at once; the
 * snapshot gets a copy of it, seconds later. It talks to the server without any trouble of its own; what is
 * late, silent or after the deletion is the storage. Clocks of the storage run wrong.
 */
import {
  contents,
  groupSnapshots,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeSnapshot,
} from '../../../src/kube/snapshots.ts';
import type { JsonObject, ObjectKey, OwnerReference, Resource } from '../../../src/kube/object.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import { phasesOfSnapshot } from './phases.ts';
import type { StorageKind } from './scene.ts';
import {
  contentKindOf,
  copyStatus,
  cutStatusOf,
  makeContent,
  makeStranger,
} from './sim-contents.ts';
import { NAMESPACE, type SimCluster } from './sim-cluster.ts';
import { makeMembers, merge } from './snapshot-members.ts';

const FINALIZER = 'simulation/bound';

export interface SnapshotterOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly random: Random;
  readonly cluster: SimCluster;
  readonly account: Account;
  /** How the storage behaves for the snapshots that this snapshot of ours has made. */
  readonly kindOf: (snapshot: string) => StorageKind;
  /** By the claims of a group, in the order of its content. */
  readonly claimsOf: (labels: Readonly<Record<string, string>>) => readonly string[];
  readonly clockSkewMs: number;
  /** Whether there are contents of earlier snapshots of the same names, which are cut. */
  readonly hasStrangers: boolean;
}

/** One that is to be cut: a VolumeSnapshot, or a VolumeGroupSnapshot. */
interface Job {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly contentName: string;
  readonly claims: readonly string[];
  readonly kind: StorageKind;
  isCut: boolean;
  isGoing: boolean;
}

type AnySpec = NonNullable<VolumeSnapshot['spec'] & VolumeGroupSnapshot['spec']>;

const FAULTS: Readonly<Record<Exclude<StorageKind, 'usual'>, string>> = {
  late: 'storage late',
  silent: 'storage silent',
  failsFirst: 'storage fails first',
  early: 'storage reports early',
  lostContent: 'content deleted',
};
const LATE_MS = 90_000;
/** Longer than any patience that I18 has. */
const SLOWEST_COPY_MS = 6_000;

const ofSingle = { resource: snapshots as Resource, prefix: 'snapcontent' };
const ofGroups = { resource: groupSnapshots as Resource, prefix: 'groupsnapcontent' };

export class Snapshotter {
  readonly #options: SnapshotterOptions;
  readonly #jobs = new Map<string, Job>();
  #pending = 0;

  constructor(options: SnapshotterOptions) {
    this.#options = options;
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  /** Whether it is going to say anything more. */
  get isBusy(): boolean {
    return this.#pending > 0;
  }

  #look({ resource, type, object }: Entry): void {
    const grouped = resource === resourceName(groupSnapshots);
    if (!grouped && (resource !== resourceName(snapshots) || isMember(object))) return;
    const { uid = '', deletionTimestamp } = object.metadata;
    const job = this.#jobs.get(uid);
    const isGoing = type === 'Delete' || deletionTimestamp !== undefined;
    if (job === undefined && !isGoing) this.#take(object, grouped);
    if (job !== undefined && isGoing) this.#end(job);
  }

  #take(object: Stored, grouped: boolean): void {
    const job = this.#makeJob(object, grouped);
    this.#jobs.set(job.uid, job);
    this.#after(this.#options.random.between(5, 150), () => {
      this.#bind(job);
    });
    this.#options.world.note(`the snapshotter takes ${job.key.name}`);
  }

  #makeJob({ metadata, spec }: Stored, grouped: boolean): Job {
    const { name = '', uid = '', ownerReferences = [] } = metadata;
    const kinds = grouped ? ofGroups : ofSingle;
    const { source = {} } = spec as AnySpec;
    const { persistentVolumeClaimName: claim = '', selector } = source;
    return {
      resource: kinds.resource,
      key: { namespace: NAMESPACE, name },
      uid,
      contentName: `${kinds.prefix}-${uid}`,
      claims: grouped ? this.#options.claimsOf({ ...selector?.matchLabels }) : [claim],
      kind: this.#kindOf(ownerReferences[0], name),
      isCut: false,
      isGoing: false,
    };
  }

  #kindOf(owner: OwnerReference | undefined, name: string): StorageKind {
    const { kindOf, world, api, account } = this.#options;
    const kind = kindOf(owner?.name ?? '');
    if (kind === 'usual') return kind;
    const phases = (): readonly string[] => phasesOfSnapshot({ api, account }, owner?.uid);
    return world.faults.of(FAULTS[kind], name).strikes(null, phases) ? kind : 'usual';
  }

  #after(ms: number, work: () => void): void {
    this.#pending += 1;
    this.#options.world.after(ms, () => {
      this.#pending -= 1;
      work();
    });
  }

  /** The content first, then the storage is asked. */
  #bind(job: Job): void {
    const object = this.#find(job);
    if (object === undefined || job.isGoing) return;
    const { api, random, hasStrangers } = this.#options;
    const body = { metadata: { finalizers: [FINALIZER] } };
    api.patch(job.resource, job.key, { type: 'merge', body });
    if (hasStrangers && random.chance(0.3)) makeStranger(api, job);
    if (job.kind === 'silent' && random.chance(0.5)) return;
    makeContent(api, job);
    this.#copyLater(job);
    this.#ask(job, random);
  }

  /** What the snapshot tells is a copy, of what its content tells by then. */
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
        this.#after(random.between(1_000, LATE_MS), () => {
          this.#cut(job);
        });
        return;
      case 'failsFirst':
        this.#after(beginMs, () => {
          this.#tell(job, { error: { message: 'the storage is busy' } });
          this.#copyLater(job);
          this.#after(random.between(1_000, 30_000), () => {
            this.#cut(job);
          });
        });
        return;
      case 'early':
        // It says that it is done before it has begun; only "ready" is true.
        this.#after(beginMs, () => {
          this.#tellCut(job);
          this.#after(random.between(50, 1_500), () => {
            this.#cut(job);
          });
        });
        return;
      case 'lostContent':
        // A user deletes the content while it is being cut.
        this.#after(beginMs, () => {
          this.#cut(job);
          this.#removeContent(job);
        });
        return;
      case 'usual':
        this.#after(beginMs, () => {
          this.#cut(job);
        });
        return;
      default:
        job.kind satisfies never;
    }
  }

  /** Also of one that is deleted meanwhile: the storage does what it was asked for. */
  #cut(job: Job): void {
    const { random, account, cluster } = this.#options;
    const uid = job.uid;
    const ends = job.claims.map((claim) => account.beginCut(claim, uid, cluster.on(claim)));
    this.#after(random.between(0, 200), () => {
      for (const end of ends) end();
      job.isCut = true;
      this.#tellCut(job);
      if (job.isGoing) {
        this.#remove(job);
        return;
      }
      this.#after(random.between(20, random.chance(0.2) ? 20_000 : 500), () => {
        this.#tellReady(job);
      });
    });
  }

  #tellCut(job: Job): void {
    const { world, clockSkewMs } = this.#options;
    const atMs = world.wallMs + clockSkewMs;
    this.#tell(job, cutStatusOf(job, atMs));
    this.#copyLater(job);
  }

  #tellReady(job: Job): void {
    const { api } = this.#options;
    if (this.#find(job) === undefined || job.isGoing) return;
    if (isGroup(job)) makeMembers(api, job);
    this.#tell(job, { readyToUse: true });
    this.#copyLater(job);
  }

  /** What is being cut is not let go before that is over. */
  #end(job: Job): void {
    if (job.isGoing) return;
    job.isGoing = true;
    const waits = job.kind === 'late' && !job.isCut;
    if (!waits) {
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

  /** Of a content that is deleted the storage tells nobody. */
  #tell(job: Job, status: JsonObject): void {
    const { api } = this.#options;
    const kind = contentKindOf(job.resource);
    if (api.find(kind, { name: job.contentName }) === undefined) return;
    api.patch(kind, { name: job.contentName }, merge({ status }));
  }

  #removeContent(job: Job): void {
    const { api } = this.#options;
    const kind = contentKindOf(job.resource);
    if (api.find(kind, { name: job.contentName }) === undefined) return;
    api.delete(kind, { name: job.contentName }, {});
  }
}

function isGroup({ resource }: Job): boolean {
  return resource.kind === groupSnapshots.kind;
}

function isMember({ spec }: Stored): boolean {
  return (spec as VolumeSnapshot['spec'])?.source?.volumeSnapshotContentName !== undefined;
}
