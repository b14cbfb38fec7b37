/**
 * Makes the plan of a snapshot, which is stored in its status and never changes (SNAP-S1): its volumes with their
 * classes and snapshot names, and its hooks with their targets. Pure.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';

import { isTerminating } from '../../../controller/finalizers.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { SnapshotClass } from '../../../kube/snapshots.ts';
import type {
  ApplicationSnapshot,
  ApplicationSnapshotSpec,
  ApplicationSnapshotStatus,
  ExecutionHookInfo,
  SnapshotVolume,
} from '../kinds.ts';
import { CLAIMS_MAX, HOOK_INFOS_MAX, PODS_MAX } from '../schema/limits.ts';
import type { Failure } from './failure.ts';
import { identify } from './identify.ts';
import { groupSnapshotName, hookName, volumeSnapshotName } from './made-objects.ts';
import { chooseClass, type ChosenClass } from './snapshot-class.ts';
import { containersOf, isInUse } from './usage.ts';

export interface ClaimFacts {
  readonly name: string;
  /** null: the claim does not exist. */
  readonly claim: PersistentVolumeClaim | null;
  readonly volume: PersistentVolume | null;
  /** The hooks in the claim's annotation CLAIM_HOOKS; empty without that annotation. */
  readonly infos: readonly ExecutionHookInfo[];
  /** The problem with the annotation CLAIM_HOOKS; null: none. */
  readonly infosProblem: string | null;
}

export interface PlanFacts {
  readonly snapshot: ApplicationSnapshot;
  /** The claims, in the order of the spec if it names them, or sorted by name if a selector selects them. */
  readonly claims: readonly ClaimFacts[];
  readonly attachments: readonly VolumeAttachment[];
  /** All pods of the namespace. */
  readonly pods: readonly Pod[];
  /** Classes of the kind that fits the mode. */
  readonly classes: readonly SnapshotClass[];
}

export type Plan = Required<
  Pick<ApplicationSnapshotStatus, 'volumes' | 'executionHookInfos' | 'executionHookNames'>
> &
  Pick<ApplicationSnapshotStatus, 'volumeGroupSnapshotName'>;

export function planSnapshot(facts: PlanFacts): Plan | Failure {
  const { snapshot } = facts;
  const group = snapshot.spec.mode === 'Group';
  const failure = whyNoClaims(facts);
  if (failure !== null) return failure;
  const volumes: SnapshotVolume[] = [];
  for (const [index, each] of facts.claims.entries()) {
    const volume = planVolume(facts, each, index);
    if ('reason' in volume) return volume;
    volumes.push(volume);
  }
  const infos = planHooks(facts, volumes);
  if ('reason' in infos) return infos;
  return {
    volumes,
    executionHookInfos: [...infos],
    executionHookNames: infos.map((_, index) => hookName(snapshot, index)),
    ...(group ? { volumeGroupSnapshotName: groupSnapshotName(snapshot) } : {}),
  };
}

function whyNoClaims({ claims, snapshot }: PlanFacts): Failure | null {
  if (claims.length > CLAIMS_MAX) {
    const message = `a snapshot takes at most ${CLAIMS_MAX} claims, and the selector finds ${claims.length}`;
    return { reason: 'TooManyClaims', message };
  }
  if (claims.length > 0) return null;
  const labels = JSON.stringify(snapshot.spec.source.selector?.matchLabels ?? {});
  return { reason: 'NoClaims', message: `no claim of the namespace has the labels ${labels}` };
}

function planVolume(facts: PlanFacts, found: ClaimFacts, index: number): SnapshotVolume | Failure {
  const { name } = found;
  const { spec } = facts.snapshot;
  const bound = boundOf(found);
  if ('reason' in bound) return bound;
  const csi = bound.volume.spec?.csi;
  const chosen = classFor(facts, csi?.driver);
  if ('reason' in chosen) return { ...chosen, message: `claim ${name}: ${chosen.message}` };
  const snapshotName = volumeSnapshotName(facts.snapshot, name, index);
  return {
    claimName: name,
    claimUID: identify(bound.claim).uid,
    volumeName: identify(bound.volume).name,
    ...(csi === undefined ? {} : { volumeHandle: csi.volumeHandle, driver: csi.driver }),
    inUse: isInUse({ ...facts, claim: bound.claim, driver: csi?.driver }),
    snapshotClassName: chosen.name,
    cutSignal: chosen.cutSignal,
    ...(makesSnapshots(spec) ? { volumeSnapshotName: snapshotName } : {}),
  };
}

/** A window creates no snapshots. Each admitted object has its own class and cut signal. */
const NO_CLASS: ChosenClass = { name: '', cutSignal: 'creationTime' };

function classFor(
  { snapshot: { spec }, classes }: PlanFacts,
  driver: string | undefined,
): ChosenClass | Failure {
  return spec.window === undefined ? chooseClass({ spec, classes, driver }) : NO_CLASS;
}

/** Whether this snapshot creates one VolumeSnapshot for each volume, unlike a group or a window. */
function makesSnapshots({ mode, window }: ApplicationSnapshotSpec): boolean {
  return mode !== 'Group' && window === undefined;
}

interface Bound {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

function boundOf({ name, claim, volume }: ClaimFacts): Bound | Failure {
  if (claim === null) return { reason: 'NoClaim', message: `claim ${name} does not exist` };
  if (isTerminating(claim))
    return { reason: 'ClaimGoing', message: `claim ${name} is being deleted` };
  const { phase = 'Pending' } = claim.status ?? {};
  if (phase !== 'Bound') {
    const message = `claim ${name} must be bound to a volume; it is ${phase}`;
    return { reason: 'ClaimNotBound', message };
  }
  if (volume === null) {
    const message = `the volume of claim ${name} does not exist`;
    return { reason: 'NoVolume', message };
  }
  if (isBoundTo(volume, claim)) return { claim, volume };
  const message = `volume ${identify(volume).name} must be bound to claim ${name}, but is bound to another claim`;
  return { reason: 'WrongVolume', message };
}

function isBoundTo({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return spec?.claimRef?.uid === identify(claim).uid;
}

/** Plans the hooks; empty if no volume is in use, because there is nothing to freeze (SNAP-R28). */
function planHooks(
  facts: PlanFacts,
  volumes: readonly SnapshotVolume[],
): readonly ExecutionHookInfo[] | Failure {
  const infos = infosOf(facts);
  if ('reason' in infos) return infos;
  if (!volumes.some(({ inUse }) => inUse)) return [];
  const planned = infos.map((info) => aimHook(info, facts));
  return planned.find((each) => 'reason' in each) ?? (planned as ExecutionHookInfo[]);
}

/** The hooks of the spec; if the spec does not have the field, the hooks of the claims. */
function infosOf({ snapshot, claims }: PlanFacts): readonly ExecutionHookInfo[] | Failure {
  const given = snapshot.spec.executionHookInfos;
  if (given !== undefined) return given;
  const [problem] = claims.flatMap(({ infosProblem }) => infosProblem ?? []);
  if (problem !== undefined) return { reason: 'WrongClaimHooks', message: problem };
  const infos = differentInfos(claims);
  if (infos.length <= HOOK_INFOS_MAX) return infos;
  const message = `a snapshot has at most ${HOOK_INFOS_MAX} hooks, and its claims ask for ${infos.length}`;
  return { reason: 'TooManyHooks', message };
}

/** The hooks of the claims, in their order. Equal infos of several claims count once. */
function differentInfos(
  claims: readonly Pick<ClaimFacts, 'infos'>[],
): readonly ExecutionHookInfo[] {
  const different: ExecutionHookInfo[] = [];
  for (const info of claims.flatMap(({ infos }) => infos)) {
    if (!different.some((known) => sameJson(known, info))) different.push(info);
  }
  return different;
}

/**
 * If the info lists containers, only these are targets. Else its selectors select them. Without both: all containers
 * that mount the volumes (SNAP-R4, SNAP-R30).
 */
function aimHook(info: ExecutionHookInfo, facts: PlanFacts): ExecutionHookInfo | Failure {
  const { podContainerNamesList: list, podSelector, containerSelector, ...what } = info;
  if (list !== undefined) return { ...what, podContainerNamesList: list };
  if (podSelector !== undefined || containerSelector !== undefined) return info;
  const claims = facts.claims.flatMap(({ claim }) => claim ?? []);
  const found = containersOf(claims, facts.pods);
  if (found.length > PODS_MAX) {
    const message = `a hook freezes at most ${PODS_MAX} pods, and ${found.length} mount the volumes: give a podSelector`;
    return { reason: 'TooManyTargets', message };
  }
  if (found.length > 0) return { ...what, podContainerNamesList: [...found] };
  const message =
    'a volume is in use, but no running container mounts it: wait until its pods run, or give a podSelector';
  return { reason: 'NoTargets', message };
}
