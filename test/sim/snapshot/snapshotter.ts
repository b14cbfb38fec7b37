/**
 * The simulated snapshotter with its storage: VolumeSnapshot and VolumeGroupSnapshot to content, to cut, to
 * ready, in the order of section 5 of the reference. It talks to the server without any trouble of its
 * own; what is late, silent or comes after the deletion is the storage. Clocks of the storage run wrong.
 */
import {
  contents,
  groupContents,
  groupSnapshots,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../src/kube/snapshots.ts';
import type { ObjectKey, Resource } from '../../../src/kube/object.ts';
import { resourceName } from '../../../src/kube/object.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import type { StorageKind } from './scene.ts';
import { NAMESPACE, type SimCluster } from './sim-cluster.ts';
import { handleOf, makeMembers, merge } from './snapshot-members.ts';

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

const LATE_MS = 90_000;
const POLICY = 'Delete';

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
      kind: this.#options.kindOf(ownerReferences.map((owner) => owner.name).join()),
      isCut: false,
      isGoing: false,
    };
  }

  #after(ms: number, work: () => void): void {
    this.#pending += 1;
    this.#options.world.after(ms, () => {
      this.#pending -= 1;
      work();
    });
  }

  /** Content and binding first, then the storage is asked. */
  #bind(job: Job): void {
    const object = this.#find(job);
    if (object === undefined || job.isGoing) return;
    const { api, random } = this.#options;
    const body = { metadata: { finalizers: [FINALIZER] } };
    api.patch(job.resource, job.key, { type: 'merge', body });
    const ref = { namespace: NAMESPACE, name: job.key.name, uid: job.uid };
    const metadata = { name: job.contentName };
    const common = { deletionPolicy: POLICY, driver: 'sim' } as const;
    if (isGroup(job)) {
      const source = { volumeHandles: job.claims.map(handleOf) };
      const spec = { ...common, volumeGroupSnapshotRef: ref, source };
      const content: VolumeGroupSnapshotContent = { metadata, spec };
      api.create(groupContents, content);
    } else {
      const source = { volumeHandle: handleOf(job.claims[0] ?? '') };
      const content: VolumeSnapshotContent = {
        metadata,
        spec: { ...common, volumeSnapshotRef: ref, source },
      };
      api.create(contents, content);
    }
    const bound = isGroup(job)
      ? { boundVolumeGroupSnapshotContentName: job.contentName }
      : { boundVolumeSnapshotContentName: job.contentName };
    this.#tell(job, { ...bound, readyToUse: false });
    this.#ask(job, random);
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
    const { world, api, clockSkewMs } = this.#options;
    const atMs = world.wallMs + clockSkewMs;
    const creationTime = new Date(atMs).toISOString();
    const parts = job.claims.map((claim) => ({
      volumeHandle: handleOf(claim),
      snapshotHandle: `cut-${claim}-${job.uid}`,
    }));
    const told = { creationTime: atMs * 1_000_000, readyToUse: false };
    const kind = isGroup(job) ? groupContents : contents;
    const status = isGroup(job)
      ? { ...told, volumeGroupSnapshotHandle: `cut-${job.uid}`, volumeSnapshotInfoList: parts }
      : { ...told, snapshotHandle: parts[0]?.snapshotHandle ?? '' };
    if (api.find(kind, { name: job.contentName }) === undefined) return;
    api.patch(kind, { name: job.contentName }, merge({ status }));
    this.#tell(job, { creationTime });
  }

  #tellReady(job: Job): void {
    const { api } = this.#options;
    if (this.#find(job) === undefined || job.isGoing) return;
    if (isGroup(job)) makeMembers(api, job);
    const kind = isGroup(job) ? groupContents : contents;
    api.patch(kind, { name: job.contentName }, merge({ status: { readyToUse: true } }));
    this.#tell(job, { readyToUse: true });
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
    const kind = isGroup(job) ? groupContents : contents;
    if (api.find(kind, { name: job.contentName }) !== undefined) {
      api.delete(kind, { name: job.contentName }, {});
    }
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

  #tell(job: Job, status: Record<string, string | boolean | { message: string }>): void {
    if (this.#find(job) === undefined) return;
    this.#options.api.patch(job.resource, job.key, merge({ status }));
  }
}

function isGroup({ resource }: Job): boolean {
  return resource.kind === groupSnapshots.kind;
}

function isMember({ spec }: Stored): boolean {
  return (spec as VolumeSnapshot['spec'])?.source?.volumeSnapshotContentName !== undefined;
}
