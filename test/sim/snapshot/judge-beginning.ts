/** SNAP-I19: a hook waits for pods that are created after it. */
import { tagOf, type HookView } from './hook-views.ts';
import type { Court } from './judge.ts';

/** Judges only scenes in which no fault happens and the pods are created in time. */
export function judgeWaiting(court: Court, { name, hook }: HookView): void {
  const { scene, troubles, world } = court;
  if (scene.podsAtMs === undefined || troubles.size > 0) return;
  if (hook.status?.preActionSucceed !== false) return;
  world.violate(
    'SNAP-I19',
    `hook ${name} (${tagOf(hook)}) has failed, and its pod was created in time`,
  );
}
