/** Users who delete their requests at moments that last only milliseconds. */
import type { Resource } from '../../../src/kube/object.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { windowName } from '../../../src/lifecycles/snapshot/guard/guard-window.ts';
import type { Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { GuardPlan } from './guard-scene.ts';
import type { Court } from './judge.ts';
import { waitsForTemplate } from './late-templates.ts';
import type { Place } from './people.ts';
import { NAMESPACE } from './sim-cluster.ts';

type Where = Omit<Place, 'random'>;

/**
 * Returns true when it is time for a deletion: an intent is recorded, but not yet carried out. `name`: name of the
 * object to delete.
 */
type Moment = (object: Stored, name: string) => boolean;
type Moments = readonly [Moment | null, ...(Moment | null)[]];

const OF_SNAPSHOTS: Moments = [null, isFreezeRecorded, isFreezeRecorded, isCutRequested];
const OF_WINDOWS: Moments = [null, isFreezeRecorded, isCutRequested, isAdmitted, isAdmitted];
const OF_WAITING: Moments = [null, isFreezeRecorded, isTemplateAwaited];
/** Probability that a window is deleted. */
const LIKELY = 0.5;
const OF_HOOKS: Moments = [null, isFreezeRecorded, isFreezeRecorded];

/** Schedules deletions, in seeds that concentrate on them. */
export function scheduleDeletion({ world, api, scene, late }: Court, random: Random): void {
  if (!world.faults.isFocusedOn('deleting')) return;
  const where = { world, api };
  const resource = applicationSnapshots;
  for (const { name, atMs, hooks } of scene.snapshots) {
    const mayWait = hooks.some(({ tag }) => late.has(tag));
    const moments = mayWait ? OF_WAITING : OF_SNAPSHOTS;
    scheduleOne(where, { resource, name, atMs, moments }, random);
  }
  const own = random.fork('hooks');
  for (const { plan, atMs } of scene.hooks) {
    scheduleOne(where, { resource: executionHooks, name: plan.tag, atMs, moments: OF_HOOKS }, own);
  }
  scheduleWindows(where, scene.guard, random.fork('windows'));
}

/**
 * Schedules deletions of windows. Each request may open a window. Some windows are not deleted, so that their client
 * gets its snapshot.
 */
function scheduleWindows(where: Where, guard: GuardPlan | undefined, random: Random): void {
  for (const [index, { atMs }] of (guard?.requests ?? []).entries()) {
    if (guard === undefined || !random.chance(LIKELY)) continue;
    const name = windowName(guard.name, index + 1);
    const moments = OF_WINDOWS;
    scheduleOne(where, { resource: applicationSnapshots, name, atMs, moments }, random);
  }
}

interface Deletion {
  readonly resource: Resource;
  readonly name: string;
  /** Simulated time at which the object is created, in milliseconds. */
  readonly atMs: number;
  readonly moments: Moments;
}

function scheduleOne(
  { world, api }: Where,
  { resource, name, atMs, moments }: Deletion,
  random: Random,
): void {
  const remove = (): void => {
    const key = { namespace: NAMESPACE, name };
    const isThere = api.find(resource, key) !== undefined;
    if (!isThere || !world.faults.of(`${resource.kind} deleted`, name).strikes()) return;
    world.note(`a user deletes ${resource.kind} ${name}`);
    api.delete(resource, key, {});
  };
  const afterMs = atMs + random.between(50, random.pick([1_000, 5_000, 20_000]));
  const moment = random.pick(moments);
  if (moment === null) world.after(afterMs, remove);
  else onceAt({ world, api }, { name, moment }, remove);
}

/** True if the freeze of a hook of this snapshot, or of the hook with this name, is recorded. */
function isFreezeRecorded(object: Stored, name: string): boolean {
  const { status } = object as unknown as ExecutionHook;
  const [target] = status?.containerExecutionHookStatuses ?? [];
  return isHookOf(object, name) && target?.preActionStatus !== undefined;
}

function isTemplateAwaited(object: Stored, name: string): boolean {
  return isHookOf(object, name) && waitsForTemplate(object as unknown as ExecutionHook);
}

function isHookOf({ kind, metadata }: Stored, name: string): boolean {
  const [owner] = metadata.ownerReferences ?? [];
  return kind === executionHooks.kind && (owner?.name ?? metadata.name) === name;
}

function isCutRequested(object: Stored, name: string): boolean {
  return statusOf(object, name)?.cutRequestedAt !== undefined;
}

/** True if the window with this name has admitted an object, which is not stored yet. */
function isAdmitted(object: Stored, name: string): boolean {
  return statusOf(object, name)?.admitted !== undefined;
}

function isCutObserved(object: Stored, name: string): boolean {
  return statusOf(object, name)?.cutObservedAt !== undefined;
}

/** Status of the ApplicationSnapshot with this name; undefined if the object is another one. */
function statusOf(object: Stored, name: string): ApplicationSnapshot['status'] {
  const isOwn = object.kind === applicationSnapshots.kind && object.metadata.name === name;
  return isOwn ? (object as unknown as ApplicationSnapshot).status : undefined;
}

interface CutMoment {
  /** Name of the ApplicationSnapshot. */
  readonly name: string;
  readonly moment: 'requested' | 'observed';
  readonly afterMs: number;
}

/** Does the work once: `afterMs` milliseconds after the cut was recorded as requested or observed. */
export function onceCutIs(
  { world, api }: Where,
  { name, moment, afterMs }: CutMoment,
  work: () => void,
): void {
  const isMoment = moment === 'requested' ? isCutRequested : isCutObserved;
  onceAt({ world, api }, { name, moment: isMoment }, () => {
    world.after(afterMs, work);
  });
}

function onceAt(
  { world, api }: Where,
  { name, moment }: { readonly name: string; readonly moment: Moment },
  work: () => void,
): void {
  const stop = api.onCommit(({ object }) => {
    if (!moment(object, name)) return;
    stop();
    world.after(0, work);
  });
}
