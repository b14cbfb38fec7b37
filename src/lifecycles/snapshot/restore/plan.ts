/** Plans a restore once, from the state of its sources: the claims to create, or why none may be created. Pure. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { compareQuantities, parseQuantity } from '../../../kube/quantity.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { reaches, type RequiredLevel } from '../required-level.ts';
import type { Failure } from '../app/failure.ts';
import type {
  ClaimSettings,
  RestoredClaim,
  RestorePod,
  SnapshotRestore,
  SnapshotRestoreSpec,
  SourceVerdict,
} from './kinds.ts';
import { CLAIM_HOOKS } from '../names.ts';
import { STAGES } from './check-spec.ts';
import { newClaimName } from './object-names.ts';
import { awaitedVerdict, type SnapshotSource, verdictOn } from './source-verdict.ts';
import { whyNotThere } from './why-not-there.ts';

export interface RestoreSources {
  /** The ApplicationSnapshot that the spec names; null: the spec names none, or it does not exist. */
  readonly application: ApplicationSnapshot | null;
  /** The VolumeSnapshots to restore, in the order of the source. */
  readonly sources: readonly SnapshotSource[];
  /** Names of VolumeSnapshots that do not exist, or were replaced by others of the same name. */
  readonly missing: readonly string[];
  /** The source claims that still exist, by name. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
}

export type RestorePlan =
  | { readonly claims: RestoredClaim[]; readonly sourceVerdict: SourceVerdict }
  | (Failure & { readonly sourceVerdict?: SourceVerdict })
  /** The restore must wait, because its source is not complete yet. */
  | { readonly waitsFor: string };

export function planRestore(restore: SnapshotRestore, found: RestoreSources): RestorePlan {
  const { spec } = restore;
  const obstacle = whyNotThere(spec, found);
  if (obstacle !== null) return obstacle;
  const sourceVerdict = verdictOn(found.sources);
  const required = spec.requiredVerdict ?? 'ApplicationConsistent';
  // `reaches` reads the value only.
  if (!reaches({ ...sourceVerdict, decidedAt: '' }, required)) {
    const waitsFor = awaitedVerdict(found.sources);
    if (waitsFor !== null) return { waitsFor };
    return { ...refusal(sourceVerdict, required), sourceVerdict };
  }
  const claims = claimsOf(restore, found);
  if (!Array.isArray(claims)) return { ...claims, sourceVerdict };
  const unchecked = recipeOnDevice(spec, claims);
  return unchecked === null ? { claims, sourceVerdict } : { ...unchecked, sourceVerdict };
}

/** SNAP-V2: the failure of a restore whose source has a verdict below the required level. */
function refusal({ value, reason, message }: SourceVerdict, required: RequiredLevel): Failure {
  const text = `The snapshot is ${value} (${reason}), and ${required} is required: ${message.replace(/\.$/, '')}. Restore another snapshot, or lower requiredVerdict (--require).`;
  return { reason: 'VerdictTooLow', message: text };
}

function claimsOf(restore: SnapshotRestore, found: RestoreSources): RestoredClaim[] | Failure {
  const { claims: settings = [] } = restore.spec;
  const named = found.sources.map((source) => ({ source, claim: sourceClaimOf(source) }));
  const names = named.map(({ claim }) => claim);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) {
    const message = `Two VolumeSnapshots are snapshots of claim ${twice}: restore them one after the other.`;
    return { reason: 'ClaimTwice', message };
  }
  const unknown = namedClaims(restore.spec).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message = `The snapshot has no claim ${unknown}; it has ${names.join(', ')}.`;
    return { reason: 'UnknownClaim', message };
  }
  const planned: RestoredClaim[] = [];
  for (const { source, claim } of inOrder(named, settings)) {
    const own = settings.find(({ sourceClaimName }) => sourceClaimName === claim);
    const next = claimOf(restore, { source, claim, own, original: found.claims.get(claim) });
    if ('reason' in next) return next;
    planned.push(next);
  }
  const newNames = planned.map(({ claimName }) => claimName);
  const doubled = newNames.find((name, at) => newNames.indexOf(name) < at);
  if (doubled === undefined) return planned;
  return { reason: 'ClaimTwice', message: `Two new claims have the name ${doubled}.` };
}

/** Names of the claims in the settings of the spec and in the mounts of its hooks. */
function namedClaims({ claims = [], ...spec }: SnapshotRestoreSpec): string[] {
  const hooks = STAGES.flatMap((stage) => spec[stage] ?? []);
  const mounts = hooks.flatMap(({ pod }) => pod?.mounts ?? []);
  return [...claims, ...mounts].map(({ sourceClaimName }) => sourceClaimName);
}

interface Named {
  readonly source: SnapshotSource;
  readonly claim: string;
}

/**
 * SNAP-V5: first the claims with settings, in the order of the settings; then the others, in the order of the source.
 */
function inOrder(named: readonly Named[], settings: readonly ClaimSettings[]): readonly Named[] {
  const order = settings.map(({ sourceClaimName }) => sourceClaimName);
  const first = order.flatMap((name) => named.filter(({ claim }) => claim === name));
  return [...first, ...named.filter(({ claim }) => !order.includes(claim))];
}

/**
 * SNAP-V11: a recipe's check reads the directory of its first claim. On a block volume it would fail even for a good
 * copy.
 */
function recipeOnDevice(
  { verify = [] }: SnapshotRestoreSpec,
  claims: readonly RestoredClaim[],
): Failure | null {
  for (const { name, pod } of verify) {
    const claim = pod === undefined ? undefined : firstClaim(pod, claims);
    if (pod?.recipe === undefined || claim?.volumeMode !== 'Block') continue;
    const message = `Check ${name} cannot run: recipe ${pod.recipe.name} reads a directory, and claim ${claim.sourceClaimName} is a block volume (volumeMode Block). Give a command that reads the device $LIFEHOOK_PATH (--command) instead of the recipe, or mount a claim with a file system first.`;
    return { reason: 'CheckNeedsFilesystem', message };
  }
  return null;
}

/** The claim whose path is $LIFEHOOK_PATH; undefined: the pod mounts no claim. */
function firstClaim(
  { mounts }: RestorePod,
  claims: readonly RestoredClaim[],
): RestoredClaim | undefined {
  if (mounts === undefined) return claims[0];
  return claims.find(({ sourceClaimName }) => sourceClaimName === mounts[0]?.sourceClaimName);
}

/** The name of the source claim. A pre-provisioned VolumeSnapshot names none, so its own name is used instead. */
function sourceClaimOf({ snapshot }: SnapshotSource): string {
  return snapshot.spec?.source?.persistentVolumeClaimName ?? snapshot.metadata?.name ?? '';
}

interface Wanted extends Named {
  readonly own: ClaimSettings | undefined;
  /** The source claim; undefined: it was deleted. */
  readonly original: PersistentVolumeClaim | undefined;
}

function claimOf(restore: SnapshotRestore, wanted: Wanted): RestoredClaim | Failure {
  const { source, claim, own } = wanted;
  const size = sizeOf(wanted);
  if (typeof size !== 'string') return size;
  const { name: volumeSnapshotName = '', uid: volumeSnapshotUID = '' } =
    source.snapshot.metadata ?? {};
  return {
    sourceClaimName: claim,
    volumeSnapshotName,
    volumeSnapshotUID,
    claimName: own?.claimName ?? newClaimName(restore, claim),
    ...shapeOf(restore.spec, wanted),
    ...(own?.claimName === claim ? selectedBy(wanted.original) : {}),
    size,
  };
}

/** The properties by which later snapshots select the source claim: its labels, and the hooks in its annotation. */
function selectedBy(
  original: PersistentVolumeClaim | undefined,
): Pick<RestoredClaim, 'labels' | 'annotations'> {
  const { labels, annotations } = original?.metadata ?? {};
  const hooks = annotations?.[CLAIM_HOOKS];
  return {
    ...(labels === undefined ? {} : { labels }),
    ...(hooks === undefined ? {} : { annotations: { [CLAIM_HOOKS]: hooks } }),
  };
}

/**
 * Storage class and access modes: of the claim's own settings, else of the spec, else of the source claim. Volume mode:
 * of the snapshot's content, else of the source claim.
 */
function shapeOf(
  spec: SnapshotRestoreSpec,
  { source, own, original }: Wanted,
): Pick<RestoredClaim, 'storageClassName' | 'accessModes' | 'volumeMode'> {
  const { storageClassName, accessModes } = {
    ...original?.spec,
    ...pickShape(spec),
    ...pickShape(own),
  };
  const volumeMode = source.content?.spec.sourceVolumeMode ?? original?.spec?.volumeMode;
  return {
    ...(storageClassName === undefined ? {} : { storageClassName }),
    accessModes: accessModes ?? ['ReadWriteOnce'],
    ...(volumeMode === undefined ? {} : { volumeMode }),
  };
}

type Shape = Pick<ClaimSettings, 'storageClassName' | 'accessModes'>;

function pickShape({ storageClassName, accessModes }: Shape = {}): Shape {
  return {
    ...(storageClassName === undefined ? {} : { storageClassName }),
    ...(accessModes === undefined ? {} : { accessModes }),
  };
}

/** The requested size; without one, the larger of the source claim's size and the size that the snapshot needs. */
function sizeOf({ claim, own, original, source }: Wanted): string | Failure {
  const needed = source.snapshot.status?.restoreSize ?? NO_SIZE;
  if (own?.size !== undefined) return askedSize(claim, own.size, needed);
  const before = storageOf(original);
  const size = isEnough(before, needed) ? before : needed;
  if (size !== NO_SIZE) return size;
  const message = `The snapshot of claim ${claim} does not say its size, and the claim is deleted: give the size in spec.claims.`;
  return { reason: 'SizeUnknown', message };
}

const NO_SIZE = '0';

function storageOf(claim: PersistentVolumeClaim | undefined): string {
  return claim?.spec?.resources?.requests?.['storage'] ?? NO_SIZE;
}

function askedSize(claim: string, asked: string, needed: string): string | Failure {
  if (isEnough(asked, needed)) return asked;
  const message = `Claim ${claim} needs at least ${needed}, not ${asked}: raise the size, or leave the size out.`;
  return { reason: 'TooSmall', message };
}

function isEnough(size: string, needed: string): boolean {
  const [has, needs] = [parseQuantity(size), parseQuantity(needed)];
  return has !== undefined && needs !== undefined && compareQuantities(has, needs) >= 0;
}
