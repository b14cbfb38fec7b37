/** A user who marks a thaw as done by hand some time after a hook has reported that no controller can thaw a target. */
import { executionHooks } from '../../../src/lifecycles/snapshot/kinds.ts';
import { HOOK_FINALIZER, TAKEN_ON } from '../../../src/lifecycles/snapshot/names.ts';
import type { World } from '../world.ts';
import { type HookView, tagOf } from './hook-views.ts';
import { type Court, isTakenOn } from './judge.ts';
import { isForgotten } from './judge-end.ts';
import type { Place } from './people.ts';
import { NAMESPACE, type SimCluster } from './sim-cluster.ts';

export function lookAfter(
  { hook, before, isDeleted }: HookView,
  { api, world, random }: Place,
): void {
  if (isDeleted || !isUnproven(hook) || (before !== null && isUnproven(before))) return;
  const { uid, name = '' } = hook.metadata ?? {};
  world.after(random.between(1_000, 60_000), () => {
    const key = { namespace: NAMESPACE, name };
    if (api.find(executionHooks, key)?.metadata.uid !== uid) return;
    const body = { metadata: { annotations: { [TAKEN_ON]: 'a-person' } } };
    api.patch(executionHooks, key, { type: 'merge', body });
  });
}

function isUnproven({ status }: HookView['hook']): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'ThawUnproven');
  return condition?.status === 'True';
}

/** Thaws the targets of a hook whose thaw is marked as done by hand. */
export function helpOut(view: HookView, world: World, cluster: SimCluster): void {
  const isHeld = view.hook.metadata?.finalizers?.includes(HOOK_FINALIZER) === true;
  if (!isTakenOn(view) || (isHeld && !view.isDeleted)) return;
  const tag = tagOf(view.hook);
  for (const application of cluster.applications) {
    if (application.freeze?.tag !== tag) continue;
    world.after(1, () => {
      if (application.alive) application.giveLock(tag);
      else application.endFreeze('thawed on its node');
    });
  }
}

/**
 * Simulates users after a restore of the server. They thaw targets that are frozen without a record, and mark thaws as
 * done by hand again.
 */
export function thawForgotten(court: Court): void {
  for (const view of court.views.all.values()) {
    const { hook, name, isDeleted } = view;
    if (!court.disturbances.isBeforeRestore(0) || isDeleted || !isUnproven(hook) || isTakenOn(view))
      continue;
    const body = { metadata: { annotations: { [TAKEN_ON]: 'a-person' } } };
    court.api.patch(executionHooks, { namespace: NAMESPACE, name }, { type: 'merge', body });
  }
  for (const application of court.applications()) {
    const { freeze, is } = application;
    if (freeze === null || !isForgotten(court, { ...is, tag: freeze.tag, atMs: freeze.beganMs }))
      continue;
    court.world.note(`a user thaws ${application.name}, which the server has forgotten`);
    application.endFreeze('thawed by hand');
  }
}
