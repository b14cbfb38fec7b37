/** Users who act too early, at moments when it does most harm. They exist in seeds with the trouble users. */
import { groupSnapshots, snapshots } from '../../../src/kube/snapshots.ts';
import { executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { TAKEN_ON } from '../../../src/lifecycles/snapshot/names.ts';
import type { Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import { onceCutIs } from './deletions.ts';
import { type HookView, tagOf } from './hook-views.ts';
import type { Court } from './judge.ts';
import type { Place } from './people.ts';
import { NAMESPACE } from './sim-cluster.ts';

/** Probability that a user is hasty, in a seed with the trouble users. */
const HASTY = 0.9;

/** Users delete VolumeSnapshots of a request: before the cut, or between the cut and their readiness. */
export function scheduleVolumeDeletions(
  { world, api, scene, troubles }: Court,
  random: Random,
): void {
  if (!troubles.has('users')) return;
  for (const { name, mode } of scene.snapshots) {
    const resource = mode === 'Group' ? groupSnapshots : snapshots;
    const isHasty = random.chance(HASTY);
    const moment = random.pick(['requested', 'observed', 'observed'] as const);
    const afterMs = random.between(0, random.pick([200, 4_000]));
    if (!isHasty) continue;
    const isOwn = ({ metadata }: Stored): boolean =>
      (metadata.ownerReferences ?? []).some((owner) => owner.name === name);
    const remove = (): void => {
      const found = api.peek(resource).find(isOwn);
      if (found === undefined || !world.faults.of('VolumeSnapshot deleted', name).strikes()) return;
      const key = { namespace: NAMESPACE, name: found.metadata.name ?? '' };
      world.note(`a user deletes ${resource.kind} ${key.name}`);
      api.delete(resource, key, {});
    };
    onceCutIs({ world, api }, { name, moment, afterMs }, remove);
  }
}

/** A user marks a thaw as done by hand just after it has begun, while a session helper still does it. */
export function markInHaste(
  view: HookView,
  { planOf, troubles }: Pick<Court, 'planOf' | 'troubles'>,
  { world, api, random }: Place,
): void {
  const { name, uid, hook } = view;
  const tag = tagOf(hook);
  if (!troubles.has('users') || !hasJustBegunToThaw(view) || tag === '' || !planOf(tag).held)
    return;
  const isHasty = random.fork(`haste ${tag}`).chance(HASTY);
  if (!world.faults.of('thaw marked as done', name).decides(isHasty, null)) return;
  world.after(0, () => {
    const key = { namespace: NAMESPACE, name };
    if (api.find(executionHooks, key)?.metadata.uid !== uid) return;
    const body = { metadata: { annotations: { [TAKEN_ON]: 'a-person' } } };
    world.note(`a user annotates ${name}: ${TAKEN_ON}`);
    api.patch(executionHooks, key, { type: 'merge', body });
  });
}

function hasJustBegunToThaw({ hook, before, isDeleted }: HookView): boolean {
  return !isDeleted && hook.status?.release !== undefined && before?.status?.release === undefined;
}
