/** Users who change or delete a guard, one of its claims, or a client's snapshot, just when a window changes. */
import { type Resource, resourceName } from '../../../src/kube/object.ts';
import { persistentVolumeClaims } from '../../../src/kube/resources.ts';
import { snapshots } from '../../../src/kube/snapshots.ts';
import {
  snapshotGuards,
  applicationSnapshots,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Random } from '../random.ts';
import type { GuardPlan } from './guard-scene.ts';
import type { Court } from './judge.ts';
import { setUpGuard } from './set-up-guard.ts';
import { NAMESPACE } from './sim-cluster.ts';

/** Probability of each action at each change of an ApplicationSnapshot or an ExecutionHook. */
const LIKELY = 0.02;
const CHANGES = new Set([applicationSnapshots, executionHooks].map(resourceName));

type Deed = (court: Court, guard: GuardPlan, random: Random) => void;

const DEEDS: Readonly<Record<string, Deed>> = {
  'SnapshotGuard edited': ({ api, world }, { name }) => {
    const key = { namespace: NAMESPACE, name };
    if (api.find(snapshotGuards, key) === undefined) return;
    world.note(`a user edits SnapshotGuard ${name}`);
    api.patch(snapshotGuards, key, { type: 'merge', body: { spec: { holdOpenSeconds: 1 } } });
  },
  'SnapshotGuard deleted': (court, guard, random) => {
    const { world, api, cluster } = court;
    if (!remove(court, snapshotGuards, guard.name) || random.chance(0.5)) return;
    world.after(random.between(100, 10_000), () => {
      if (cluster.isEnding) return;
      world.note(`a user creates SnapshotGuard ${guard.name} again`);
      setUpGuard(api, guard);
    });
  },
  'PersistentVolumeClaim deleted': (court, { claims }, random) => {
    remove(court, persistentVolumeClaims, claims[random.between(0, claims.length - 1)] ?? '');
  },
  /** Acts as a backup tool that keeps only its last snapshots. */
  'VolumeSnapshot deleted': (court, { requests }, random) => {
    const found = court.api
      .peek(snapshots)
      .map(({ metadata }) => metadata.name ?? '')
      .filter((name) => requests.some((plan) => name.split('-')[0] === plan.name));
    remove(court, snapshots, found[random.between(0, found.length - 1)] ?? '');
  },
};

/** Schedules each action at most once, in seeds with the trouble users. */
export function scheduleGuardPeople(court: Court, random: Random): void {
  const { world, api, scene, troubles } = court;
  const { guard } = scene;
  if (guard === undefined || !troubles.has('users')) return;
  const left = new Map(Object.entries(DEEDS));
  api.onCommit(({ resource }) => {
    if (!CHANGES.has(resource)) return;
    for (const [fault, deed] of left) {
      if (!world.faults.ofMoments(fault, guard.name).chance(random, LIKELY)) continue;
      left.delete(fault);
      const own = random.split();
      world.after(0, () => {
        deed(court, guard, own);
      });
    }
  });
}

function remove({ api, world }: Court, resource: Resource, name: string): boolean {
  const key = { namespace: NAMESPACE, name };
  if (api.find(resource, key) === undefined) return false;
  world.note(`a user deletes ${resource.kind} ${name}`);
  api.delete(resource, key, {});
  return true;
}
