/** The open jobs of the simulated snapshotter. There is one for each object to be cut. */
import {
  groupSnapshots,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeSnapshot,
} from '../../../src/kube/snapshots.ts';
import type { ObjectKey, OwnerReference, Resource } from '../../../src/kube/object.ts';
import type { SimApi, Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import { type PhaseFacts, phasesOfRequest, phasesOfSnapshot } from './phases.ts';
import type { Driver } from './drivers.ts';
import { contentKindOf, makeContent, type StorageKind } from './sim-contents.ts';
import { NAMESPACE } from './sim-cluster.ts';

/** The job for one VolumeSnapshot or VolumeGroupSnapshot. */
export interface Job {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly contentName: string;
  readonly claims: readonly string[];
  readonly claimsCut: readonly string[];
  readonly isCopied: boolean;
  readonly kind: StorageKind;
  /** True while the storage is late with a cut that was requested for this job. */
  isLate: boolean;
  isCut: boolean;
  /** Time of the cut as the storage last reported it, in wall-clock milliseconds. */
  reportedMs: number;
  isTerminating: boolean;
}

type AnySpec = NonNullable<VolumeSnapshot['spec'] & VolumeGroupSnapshot['spec']>;

const FAULTS: Readonly<Record<Exclude<StorageKind, 'usual'>, string>> = {
  late: 'storage late',
  silent: 'storage silent',
  failsFirst: 'storage fails first',
  early: 'storage reports early',
  lostContent: 'content deleted',
  neverReady: 'storage never ready',
};
const ofSingle = { resource: snapshots as Resource, prefix: 'snapcontent' };
const ofGroups = { resource: groupSnapshots as Resource, prefix: 'groupsnapcontent' };

export interface JobOptions {
  readonly world: World;
  readonly api: SimApi;
  readonly account: Account;
  /** Behaviour of the storage. The name is that of the ApplicationSnapshot, or of another client's snapshot. */
  readonly kindOf: (snapshot: string) => StorageKind;
  /** Claims that a group selects by its labels, in the order of its content. */
  readonly claimsOf: (labels: Readonly<Record<string, string>>) => readonly string[];
  /** Driver for this snapshot. */
  readonly driverOf: (snapshot: string) => Driver;
}

export function makeJob(
  { metadata, spec }: Stored,
  { grouped, ...options }: JobOptions & { readonly grouped: boolean },
): Job {
  const { name = '', uid = '', ownerReferences = [] } = metadata;
  const kinds = grouped ? ofGroups : ofSingle;
  const { source = {} } = spec as AnySpec;
  const { persistentVolumeClaimName: claim = '', selector } = source;
  const claims = grouped ? options.claimsOf({ ...selector?.matchLabels }) : [claim];
  return {
    resource: kinds.resource,
    key: { namespace: NAMESPACE, name },
    uid,
    contentName: `${kinds.prefix}-${uid}`,
    claims,
    ...wayOf(options, { owner: ownerReferences[0], name, uid, claims }),
    kind: kindOf(options, { owner: ownerReferences[0], name, uid }),
    isLate: false,
    isCut: false,
    reportedMs: 0,
    isTerminating: false,
  };
}

function kindOf(
  { world, api, account, ...options }: JobOptions,
  { owner, name, uid }: Taken,
): StorageKind {
  const kind = options.kindOf(owner?.name ?? name);
  if (kind === 'usual') return kind;
  const phases = (): readonly string[] => phasesWhenTaken({ api, account }, { owner, uid });
  return world.faults.of(FAULTS[kind], name).strikes(null, phases) ? kind : 'usual';
}

/** The object that the snapshotter has accepted as a job. */
interface Taken {
  /** The ApplicationSnapshot that owns the object; undefined if it belongs to another client. */
  readonly owner: OwnerReference | undefined;
  readonly name: string;
  readonly uid: string;
}

function phasesWhenTaken(
  facts: PhaseFacts,
  { owner, uid }: Pick<Taken, 'owner' | 'uid'>,
): readonly string[] {
  return owner === undefined ? phasesOfRequest(facts, uid) : phasesOfSnapshot(facts, owner.uid);
}

function wayOf(
  { world, api, account, driverOf }: JobOptions,
  { owner, name, uid, claims }: Taken & Pick<Job, 'claims'>,
): Pick<Job, 'claimsCut' | 'isCopied'> {
  const { leavesOut, copies } = driverOf(owner?.name ?? name);
  const phases = (): readonly string[] => phasesWhenTaken({ api, account }, { owner, uid });
  const happens = (fault: string): boolean => world.faults.of(fault, name).strikes(null, phases);
  const isOneLeftOut = claims.length > 1 && leavesOut && happens('volume left out');
  return {
    claimsCut: isOneLeftOut ? claims.slice(1) : claims,
    isCopied: copies && happens('volume copied'),
  };
}

/** True if the content has a handle, so that the storage is not requested again. */
export function isReported(api: SimApi, { resource, contentName }: Job): boolean {
  const content = api.find(contentKindOf(resource), { name: contentName });
  const status = content?.status as { creationTime?: unknown } | undefined;
  return status?.creationTime !== undefined;
}

export function makeContentOnce(api: SimApi, job: Job): void {
  const { resource, contentName } = job;
  if (api.find(contentKindOf(resource), { name: contentName }) === undefined) makeContent(api, job);
}

export function isGroup({ resource }: Job): boolean {
  return resource.kind === groupSnapshots.kind;
}

export function isMember({ metadata }: Stored): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === groupSnapshots.kind) === true;
}
