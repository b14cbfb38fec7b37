/**
 * Waits until all deployed objects are ready and stay ready, one object has certainly failed, or the deadline has
 * passed. It judges each object, and the pods of its newest template.
 */
import type { Job } from 'kubernetes-types/batch/v1.js';

import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { mapAtOnce } from '../build/file-digest.ts';
import type { DeployConfig } from '../config/model.ts';
import type { PhaseResult } from '../session.ts';
import { type ApplyContext, interrupted } from './apply-objects.ts';
import { hasPods, LOOKS_AT_ONCE, readPods } from './current-pods.ts';
import { judgeObject, type Judgement } from './judge-object.ts';
import { judgePods, type PodTrouble, type Restarts, restartsOf } from './judge-pods.ts';
import { lastLines } from './last-lines.ts';
import { keyIn, type ObjectRef, refOf, titleOf } from './object-name.ts';
import { ageOf } from './workload.ts';

const PAUSE_MS = 500;
const MS_PER_SECOND = 1_000;
/** Milliseconds that a new object must stay ready: even a container that soon exits is ready for a moment. */
const STABLE_MS = 2_000;

type Rules = Pick<DeployConfig, 'statusCheckDeadlineSeconds' | 'tolerateFailuresUntilDeadline'>;

/** One object, with its state over all reads. */
interface Watched {
  readonly ref: ObjectRef;
  /** The end of a sentence: why the object is missing if the server has none of its name. */
  readonly whyMissing: string;
  /** Restart counts at the first read of the object's pods; null: no pod was read yet. */
  restarts: Restarts | null;
  /** Milliseconds that the object must stay ready; 0: it was ready when applied, and has been ready since. */
  stableMs: number;
  /** Start of its uninterrupted readiness in monotonic milliseconds; null: the object is not ready. */
  readySinceMs: number | null;
}

interface Seen extends NotReady {
  readonly of: Watched;
}

/** Waits until the objects are ready. `objects`: the objects that `apply` returned. */
export async function checkStatus(
  objects: readonly KubeObject[],
  rules: Rules,
  context: ApplyContext,
): Promise<PhaseResult<null>> {
  const { clock, timers } = context.session.platform;
  const { signal } = context.session.hooks;
  const endMs = clock.monotonicMs() + rules.statusCheckDeadlineSeconds * MS_PER_SECOND;
  let open = objects.map(watch).filter(({ ref }) => isRun(ref, context));
  for (;;) {
    const seen = await mapAtOnce(open, LOOKS_AT_ONCE, (one) => look(one, context));
    const over = seen.filter((one) => isOver(one, rules));
    if (over.length > 0) return failed(over, 'failed', context);
    if (signal.aborted) return interrupted();
    const nowMs = clock.monotonicMs();
    const left = seen.filter(({ judgement }) => judgement.kind !== 'ready');
    const waitMs = Math.max(0, ...seen.map((one) => untilStableMs(one, nowMs)));
    if (left.length === 0 && waitMs === 0) return { outcome: 'Succeeded', value: null };
    if (left.length > 0 && nowMs >= endMs) {
      return failed(left, `are not ready after ${rules.statusCheckDeadlineSeconds} s`, context);
    }
    open = seen.filter(({ judgement }) => !isFinal(judgement)).map(({ of }) => of);
    await sleep(timers, left.length === 0 ? Math.min(PAUSE_MS, waitMs) : PAUSE_MS, signal);
  }
}

function watch(applied: KubeObject): Watched {
  const wasReady = judgeObject(applied).kind === 'ready';
  const stableMs = wasReady ? 0 : STABLE_MS;
  const whyMissing = applied.kind === 'Job' ? whyJobDeleted(applied as Job) : DELETED;
  return { ref: refOf(applied), whyMissing, restarts: null, stableMs, readySinceMs: null };
}

/** Seconds. A Job that is kept so long after its end, or shorter, may be deleted between two reads. */
const SHORT_TTL_SECONDS = 1;

const DELETED = 'it was deleted';

function whyJobDeleted({ spec }: Job): string {
  const { ttlSecondsAfterFinished: seconds = Infinity } = spec ?? {};
  if (seconds > SHORT_TTL_SECONDS) return DELETED;
  return `${DELETED} before its end was read: its ttlSecondsAfterFinished is ${seconds}, so its result is not known; with 10, it would be`;
}

/**
 * Whether the cluster runs pods for the object. The local cluster has no controller for StatefulSets and DaemonSets, so
 * these would never become ready.
 */
function isRun(ref: ObjectRef, { session, target }: ApplyContext): boolean {
  if (target.images === null || !ONLY_KEPT.has(ref.kind)) return true;
  const message = `${titleOf(ref)} is only stored: the local cluster runs no pods for it.`;
  session.hooks.emit({ type: 'Warning', code: 'LHL418', message });
  return false;
}

const ONLY_KEPT = new Set(['StatefulSet', 'DaemonSet']);

/** The present state of an object. A temporarily unreachable server is not a failure of the deployment. */
async function look(of: Watched, { target, kinds }: ApplyContext): Promise<Seen> {
  const { ref, whyMissing } = of;
  const seen = { of, ref, troubles: [] };
  try {
    const resource = await kinds.find(ref.apiVersion, ref.kind);
    const found = resource === null ? null : await getOrNull(target.client, resource, keyIn(ref));
    if (found === null) return { ...seen, judgement: { kind: 'failed', why: whyMissing } };
    const object = { ...found, apiVersion: ref.apiVersion, kind: ref.kind };
    const judgement = judgeObject(object);
    if (isFinal(judgement)) return { ...seen, judgement };
    return { ...seen, judgement, troubles: await troublesOf(of, object, target) };
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
    return { ...seen, judgement: { kind: 'waiting', why: error.message } };
  }
}

/** The troubles of an object's newest pods; none if the user may not list pods. */
async function troublesOf(
  of: Watched,
  object: KubeObject,
  target: ApplyContext['target'],
): Promise<readonly PodTrouble[]> {
  if (!hasPods(object)) return [];
  const read = await readPods(object, target);
  const newest = (read?.pods ?? []).filter(
    (pod) => read !== null && ageOf(pod, read.workload) === 'newest',
  );
  if (newest.length > 0) of.restarts ??= restartsOf(newest);
  return judgePods(of.ref.kind, newest, of.restarts ?? new Map());
}

function isFinal(judgement: Judgement): boolean {
  return judgement.kind === 'ready' && judgement.final;
}

function isOver({ judgement, troubles }: Seen, { tolerateFailuresUntilDeadline }: Rules): boolean {
  if (tolerateFailuresUntilDeadline) return false;
  return judgement.kind === 'failed' || troubles.some(({ kind }) => kind === 'certain');
}

/** Milliseconds that the object must still stay ready, as of this read. */
function untilStableMs({ of, judgement }: Seen, nowMs: number): number {
  if (isFinal(judgement)) return 0;
  if (judgement.kind !== 'ready') {
    of.readySinceMs = null;
    of.stableMs = STABLE_MS;
    return STABLE_MS;
  }
  of.readySinceMs ??= nowMs;
  return Math.max(0, of.readySinceMs + of.stableMs - nowMs);
}

async function failed(
  objects: readonly Seen[],
  how: string,
  context: ApplyContext,
): Promise<PhaseResult<never>> {
  return { outcome: 'Failed', exitCode: 1, message: await notReadyMessage(objects, how, context) };
}

/**
 * One object in the message of a failed status check: with its containers in trouble, and the last lines of exited
 * ones.
 */
interface NotReady {
  readonly ref: ObjectRef;
  readonly judgement: Judgement;
  readonly troubles: readonly PodTrouble[];
}

/** Maximum number of objects in the message; below: of troubles per object. The rest is only counted. */
const MAX_OBJECTS = 10;
const MAX_TROUBLES = 3;

async function notReadyMessage(
  objects: readonly NotReady[],
  how: string,
  context: ApplyContext,
): Promise<string> {
  const shown = objects.slice(0, MAX_OBJECTS);
  const rows = await Promise.all(shown.map((one) => rowsOf(one, context)));
  const more = objects.length - shown.length;
  return [
    `error LHL412: The deployment is not ready: ${objects.length} of its objects ${how}.`,
    ...rows.flat(),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '  next: See why with kubectl describe; deploy.statusCheckDeadlineSeconds gives more time.',
  ].join('\n');
}

async function rowsOf(
  { ref, judgement, troubles }: NotReady,
  context: ApplyContext,
): Promise<string[]> {
  const certain = troubles.filter(({ kind }) => kind === 'certain');
  const groups = grouped(certain.length > 0 ? certain : troubles);
  const why = judgement.kind === 'ready' ? [] : [`  ${titleOf(ref)}: ${judgement.why}`];
  const rows = await Promise.all(
    groups.slice(0, MAX_TROUBLES).map((group) => troubleRows(ref, group, context)),
  );
  const more = groups.length - rows.length;
  return [
    ...(certain.length > 0 ? [] : why),
    ...rows.flat(),
    ...(more > 0 ? [`  ${titleOf(ref)}: ${more} more of its containers are not ready`] : []),
  ];
}

interface Group {
  readonly first: PodTrouble;
  readonly pods: number;
}

/** Groups equal troubles, since pods of one template mostly fail alike. */
function grouped(troubles: readonly PodTrouble[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const one of troubles) {
    const key = `${one.container ?? ''} ${one.why.replaceAll(one.pod, '')}`;
    const { first = one, pods = 0 } = groups.get(key) ?? {};
    groups.set(key, { first, pods: pods + 1 });
  }
  return [...groups.values()];
}

async function troubleRows(
  ref: ObjectRef,
  { first, pods }: Group,
  context: ApplyContext,
): Promise<readonly string[]> {
  const { pod, container, why } = first;
  const who = container === null ? `pod ${pod}` : `container ${container} of pod ${pod}`;
  const more = pods === 1 ? '' : ` (so in ${pods} pods)`;
  const title = `  ${titleOf(ref)}: ${who} ${why}${more}`;
  return [title, ...(await lastLines(first, context)).map((line) => `    | ${line}`)];
}
