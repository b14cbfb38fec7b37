/** Creates the objects of a scene that users and storage drivers would have created. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';

import { resourceName } from '../../../src/kube/object.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  volumeAttachments,
} from '../../../src/kube/resources.ts';
import { classes, groupClasses, type SnapshotClass } from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
  executionHookTemplates,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { CUT_SIGNAL } from '../../../src/lifecycles/snapshot/names.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { Faults } from '../faults.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { setUpGuard } from './set-up-guard.ts';
import { type HookPlan, infoOf, templateName } from './hook-plans.ts';
import { type Scene, type SnapshotPlan, templatedHooks } from './scene.ts';
import { NAMESPACE, type PodPlan, type SimCluster } from './sim-cluster.ts';
import { handleOf } from './snapshot-members.ts';

const WINDOWS = resourceName(applicationSnapshots);

export interface Stage {
  readonly api: SimApi;
  readonly cluster: SimCluster;
  readonly random: Random;
}

export function setUp({ api, cluster, random }: Stage, scene: Scene): void {
  for (const node of ['n0', 'n1']) cluster.addNode(node);
  for (const kind of [classes, groupClasses]) {
    api.create(kind, snapshotClass('plain', {}));
    api.create(kind, snapshotClass('early', { [CUT_SIGNAL]: 'readyToUse' }));
  }
  for (const pod of scene.pods) {
    for (const claim of pod.claims) addClaim({ api, claim, scene });
    if (random.chance(0.5)) for (const claim of pod.claims) addAttachment(api, claim, pod);
    if (scene.podsAtMs === undefined) cluster.addPod(pod);
  }
  for (const { tag, actions } of templatedHooks(scene)) {
    const metadata = { namespace: NAMESPACE, name: templateName(tag) };
    api.create(executionHookTemplates, { metadata, ...actions });
  }
  if (scene.guard !== undefined) setUpGuard(api, scene.guard);
}

function snapshotClass(name: string, annotations: Record<string, string>): SnapshotClass {
  return { metadata: { name, annotations }, driver: 'sim', deletionPolicy: 'Delete' };
}

function addClaim({ api, claim, scene }: { api: SimApi; claim: string; scene: Scene }): void {
  const requests = scene.guard?.requests ?? [];
  const users = [...scene.snapshots, ...requests].filter(({ claims }) => claims.includes(claim));
  const labels = Object.fromEntries(users.map(({ name }) => [name, 'yes']));
  const object: PersistentVolumeClaim = {
    metadata: { namespace: NAMESPACE, name: claim, labels },
    spec: { volumeName: `pv-${claim}` },
    status: { phase: 'Bound' },
  };
  const { uid = '' } = api.create(persistentVolumeClaims, object).metadata;
  const volume: PersistentVolume = {
    metadata: { name: `pv-${claim}` },
    spec: {
      claimRef: { namespace: NAMESPACE, name: claim, uid },
      csi: { driver: 'sim', volumeHandle: handleOf(claim) },
    },
  };
  api.create(persistentVolumes, volume);
}

function addAttachment(api: SimApi, claim: string, { node }: PodPlan): void {
  const attachment: VolumeAttachment = {
    metadata: { name: `va-${claim}` },
    spec: { attacher: 'sim', nodeName: node, source: { persistentVolumeName: `pv-${claim}` } },
    status: { attached: true },
  };
  api.create(volumeAttachments, attachment);
}

export interface Schedule {
  readonly world: World;
  readonly api: SimApi;
  readonly cluster: SimCluster;
}

/** Schedules the requests of users for the snapshots and hooks of the scene. */
export function scheduleAsking({ world, api, cluster }: Schedule, scene: Scene): void {
  const { snapshots, hooks, podsAtMs, pods } = scene;
  if (podsAtMs !== undefined) {
    world.after(podsAtMs, () => {
      for (const pod of pods) cluster.addPod(pod);
    });
  }
  for (const plan of snapshots) {
    const ask = (): void => {
      if (cluster.isEnding || !world.faults.of('snapshot created', plan.name).strikes()) return;
      world.report(
        () => `user: creates ApplicationSnapshot ${plan.name} of ${plan.claims.join(', ')}`,
      );
      askForSnapshot(api, plan);
    };
    if (isAskedAtFreeze(world.faults, plan, scene)) atFreezeOfWindow({ world, api }, ask);
    else world.after(plan.atMs, ask);
  }
  for (const { plan, atMs } of hooks) {
    world.after(atMs, () => {
      if (cluster.isEnding || !world.faults.of('hook created', plan.tag).strikes()) return;
      world.report(() => `user: creates ExecutionHook ${plan.tag}`);
      askForHook(api, plan);
    });
  }
}

/**
 * True if the snapshot is to be requested as soon as a window has frozen, so that it begins while the window is open.
 */
function isAskedAtFreeze(faults: Faults, { name }: SnapshotPlan, { guard }: Scene): boolean {
  if (guard === undefined) return false;
  const isSought = faults.isFocusGiven && faults.isFocusedOn('before the freeze');
  return faults.of('asked at a freeze', name).decides(isSought, null);
}

function atFreezeOfWindow({ world, api }: Pick<Schedule, 'world' | 'api'>, ask: () => void): void {
  const forget = api.onCommit(({ resource, object }) => {
    const { spec, status } = object as unknown as ApplicationSnapshot;
    if (resource !== WINDOWS || spec.window === undefined) return;
    if (status?.cutRequestedAt === undefined) return;
    forget();
    world.after(0, ask);
  });
}

function askForSnapshot(api: SimApi, plan: SnapshotPlan): void {
  const { name, mode, claims, storage, hooks, cutDeadlineSeconds } = plan;
  const isGroup = mode === 'Group';
  const className = storage === 'early' ? 'early' : 'plain';
  const snapshot: ApplicationSnapshot = {
    metadata: { namespace: NAMESPACE, name },
    spec: {
      source: isGroup
        ? { selector: { matchLabels: { [name]: 'yes' } } }
        : { persistentVolumeClaimNames: [...claims] },
      mode,
      ...(isGroup
        ? { volumeGroupSnapshotClassName: className }
        : { volumeSnapshotClassName: className }),
      executionHookInfos: hooks.map(infoOf),
      ...(cutDeadlineSeconds === undefined ? {} : { cutDeadlineSeconds }),
    },
  };
  api.create(applicationSnapshots, snapshot);
}

function askForHook(api: SimApi, { tag, actions, targets }: HookPlan): void {
  const hook: ExecutionHook = {
    metadata: { namespace: NAMESPACE, name: tag },
    spec: { ...targets, ...actions },
  };
  api.create(executionHooks, hook);
}
