/**
 * Judges each write to a hook by the previous version and by what really happened: SNAP-I6, SNAP-I7, SNAP-I8, SNAP-I9,
 * SNAP-I10, SNAP-I13 and SNAP-I19.
 */
import { isForgotten } from './judge-end.ts';
import { sameJson } from '../../../src/controller/same-json.ts';
import type {
  ActionStatus,
  ContainerStatus,
  ExecutionHookStatus,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { HOOK_FINALIZER } from '../../../src/lifecycles/snapshot/names.ts';
import { type HookView, tagOf, targetsIn } from './hook-views.ts';
import type { Application } from './application.ts';
import { applicationOf, type Court, isBeforeRestore, isTakenOn } from './judge.ts';

export function judgeHook(court: Court, view: HookView): void {
  judgeWaiting(court, view);
  const { before, hook, name } = view;
  const violate: Violate = (invariant, why) => {
    court.world.violate(invariant, `hook ${name}: ${why}`);
  };
  judgeFinalizer(court, view, violate);
  if (before === null) return;
  const change = { was: before.status ?? {}, is: hook.status ?? {} };
  judgeConstancy(change, violate);
  judgeBeginning(change, violate);
  judgeSummary(change, violate);
  const earlier = targetsIn(before);
  for (const [index, is] of targetsIn(hook).entries()) {
    const was = earlier[index];
    if (was === is) continue;
    judgeActions({ was, is }, violate);
    judgeFreeze(court, { tag: tagOf(hook), was, is }, violate);
    judgeThaw(court, { view, was, is }, violate);
  }
}

/**
 * SNAP-I19: a hook waits for pods that are created after it. Judges only scenes in which no fault happens and the pods
 * are created in time.
 */
function judgeWaiting(court: Court, { name, hook }: HookView): void {
  const { scene, troubles, world } = court;
  if (scene.podsAtMs === undefined || troubles.size > 0) return;
  if (hook.status?.preActionSucceed !== false) return;
  world.violate(
    'SNAP-I19',
    `hook ${name} (${tagOf(hook)}) has failed, and its pod was created in time`,
  );
}

type Violate = (invariant: string, why: string) => void;

/** SNAP-I8: judges the finalizer by the status, and by the applications that are really frozen. */
function judgeFinalizer(court: Court, view: HookView, violate: Violate): void {
  const { hook, isDeleted } = view;
  const isHeld = hook.metadata?.finalizers?.includes(HOOK_FINALIZER) === true && !isDeleted;
  if (isHeld || isTakenOn(view)) return;
  const open = targetsIn(hook).find(isOwed);
  if (open !== undefined && !mayBeUnrecorded(view)) {
    violate('SNAP-I8', `no finalizer, and ${open.podName} was never thawed`);
  }
  const frozen = frozenBy(court, tagOf(hook));
  if (frozen !== null) violate('SNAP-I8', `no finalizer, and ${frozen} is frozen`);
}

/** Name of an application that this hook has frozen and must thaw; null if there is none. */
function frozenBy(court: Court, tag: string): string | null {
  if (tag === '' || !court.planOf(tag).thaws) return null;
  const { held } = court.planOf(tag);
  const frozen = court.applications().find(({ freeze, is }) => {
    if (freeze?.tag !== tag) return false;
    const atMs = freeze.beganMs;
    // A session helper from before the restore thaws by itself.
    if (held && isBeforeRestore(court, atMs)) return false;
    return !isForgotten(court, { ...is, tag, atMs });
  });
  if (frozen === undefined) return null;
  return frozen.name;
}

/**
 * True if a terminating hook may lose its finalizer without a record, because the server refused the record. No
 * application may really be frozen even then.
 */
function mayBeUnrecorded({ hook, isDeleted, refused }: HookView): boolean {
  return (isDeleted || hook.metadata?.deletionTimestamp !== undefined) && refused.size > 0;
}

function isOwed({ preActionStatus, thawedBy, postActionStatus }: ContainerStatus): boolean {
  const isThawed = thawedBy !== undefined || postActionStatus?.actionSucceed === true;
  return preActionStatus?.actionTimestamp !== undefined && !isThawed;
}

interface StatusChange {
  readonly was: ExecutionHookStatus;
  readonly is: ExecutionHookStatus;
}

/** SNAP-I6: recorded results do not change. */
function judgeConstancy({ was, is }: StatusChange, violate: Violate): void {
  for (const field of ['preActionSucceed', 'postActionSucceed', 'release'] as const) {
    if (was[field] === undefined || sameJson(was[field], is[field])) continue;
    violate('SNAP-I6', `${field} was ${JSON.stringify(was[field])} and is not any more`);
  }
}

/** SNAP-I10: actions and targets do not change. */
function judgeBeginning({ was, is }: StatusChange, violate: Violate): void {
  if (was.resolved !== undefined && !sameJson(was.resolved, is.resolved)) {
    violate('SNAP-I10', 'its actions have changed');
  }
  const targets = was.containerExecutionHookStatuses?.map(identity);
  const now = (is.containerExecutionHookStatuses ?? []).map(identity);
  if (targets !== undefined && !sameJson(targets, now))
    violate('SNAP-I10', 'its targets have changed');
}

function identity({ podName, podUID, containerName, containerID }: ContainerStatus): string[] {
  return [podName, podUID, containerName, containerID];
}

/** SNAP-I7: the summary agrees with the freezes. */
function judgeSummary({ was, is }: StatusChange, violate: Violate): void {
  const { preActionSucceed: pre, containerExecutionHookStatuses: targets } = is;
  // A hook without targets was refused, so nothing ran.
  if (pre === undefined || was.preActionSucceed !== undefined || targets === undefined) return;
  const outcomes = targets.map(({ preActionStatus }) => preActionStatus?.actionSucceed);
  if (targets.some(isOpen)) violate('SNAP-I7', 'a summary is recorded while a freeze is under way');
  const all = outcomes.every((outcome) => outcome === true);
  if (pre && !all) violate('SNAP-I7', 'it says that all are frozen, and not all are');
  if (!pre && !outcomes.includes(false))
    violate('SNAP-I7', 'it says that one has failed, and none has');
}

function isOpen({ preActionStatus }: ContainerStatus): boolean {
  const last = preActionStatus?.attempts?.at(-1);
  return last !== undefined && last.outcome === undefined;
}

interface TargetChange {
  readonly was: ContainerStatus | undefined;
  readonly is: ContainerStatus;
}

/** SNAP-I6: the result of an action does not change. */
function judgeActions({ was, is }: TargetChange, violate: Violate): void {
  for (const action of ['preActionStatus', 'postActionStatus'] as const) {
    const reported = was?.[action]?.actionSucceed;
    if (reported === undefined || reported === is[action]?.actionSucceed) continue;
    violate('SNAP-I6', `${action} of ${is.podName} was ${String(reported)} and is not any more`);
  }
}

/** SNAP-I13: a target is recorded as frozen only if a controller has received the success of the freeze. */
function judgeFreeze(
  { account }: Court,
  { tag, was, is }: TargetChange & { readonly tag: string },
  violate: Violate,
): void {
  if (!isNewlyTrue(was?.preActionStatus, is.preActionStatus)) return;
  const known = account.commands.some(
    ({ verb, succeeded, application, container, ...command }) =>
      verb === 'freeze' &&
      succeeded &&
      command.tag === tag &&
      container === is.containerName &&
      application?.is.podUid === is.podUID,
  );
  if (!known)
    violate('SNAP-I13', `${is.podName} is recorded as frozen, and no controller received that`);
}

function isNewlyTrue(was: ActionStatus | undefined, is: ActionStatus | undefined): boolean {
  return is?.actionSucceed === true && was?.actionSucceed !== true;
}

/** SNAP-I13: a target that is recorded as thawed is really thawed. */
function judgeThaw(
  court: Court,
  { view, was, is }: TargetChange & { readonly view: HookView },
  violate: Violate,
): void {
  const { thawedBy } = is;
  if (thawedBy === undefined || was?.thawedBy !== undefined) return;
  const application = applicationOf(court, is);
  if (thawedBy === 'released') {
    judgeTakenOn(court, { tag: tagOf(view.hook), application }, violate);
    return;
  }
  if (application?.freeze?.tag !== tagOf(view.hook) || isTakenOn(view)) return;
  if (
    isForgotten(court, {
      ...application.is,
      tag: tagOf(view.hook),
      atMs: application.freeze.beganMs,
    })
  )
    return;
  violate('SNAP-I13', `${application.name} is recorded as thawed (${thawedBy}), and is frozen`);
}

/**
 * SNAP-I9: while a session helper may still thaw, its thaw is not marked as done by hand. The helper could thaw a later
 * freeze of another hook.
 */
function judgeTakenOn(
  { account }: Court,
  { tag, application }: { readonly tag: string; readonly application: Application | undefined },
  violate: Violate,
): void {
  const isHeld = account.holders.some(
    (holder) => holder.tag === tag && holder.application === application && holder.mayThaw(),
  );
  if (!isHeld) return;
  violate(
    'SNAP-I9',
    `${application?.name ?? ''} is marked as thawed by hand, and its session helper may still thaw`,
  );
}
