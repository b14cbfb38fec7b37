/** Applies objects to a cluster in order, by server-side apply, and deletes objects. */
import { ApiError, isReason, UnreachableError } from '../../../kube/api-error.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import { MANAGER } from '../render/put-labels.ts';
import type { KubeTarget, PhaseFailure, PhaseResult, PipelineSession } from '../session.ts';
import { mapAtOnce } from '../build/file-digest.ts';
import type { FoundKinds } from './find-kinds.ts';
import { PROJECT_LABEL } from './inventory.ts';
import { keyIn, type ObjectRef, refOf, titleOf } from './object-name.ts';

export interface ApplyContext {
  readonly session: PipelineSession;
  readonly target: KubeTarget;
  readonly kinds: FoundKinds;
}

/** Milliseconds in which the server must start to serve a newly defined kind. */
const NEW_KIND_MS = 15_000;
const NEW_KIND_PAUSE_MS = 250;

/** Returns the objects as the server stored them. Stops at the first refused object. */
export async function applyObjects(
  objects: readonly KubeObject[],
  context: ApplyContext,
): Promise<PhaseResult<readonly KubeObject[]>> {
  const applied: KubeObject[] = [];
  const { session, target } = context;
  for (const object of objects) {
    const ref = refOf(object);
    if (session.hooks.signal.aborted) return interrupted();
    try {
      const resource = await servedKind(ref, objects, context);
      if (resource === null) return unknownKind(ref);
      const options = { fieldManager: MANAGER, force: true };
      applied.push(await target.client.apply(resource, object, options));
      emit(session, `${titleOf(ref)} applied`);
    } catch (error) {
      return refused(error, { what: 'applied', ref, signal: session.hooks.signal });
    }
  }
  return { outcome: 'Succeeded', value: applied };
}

/**
 * Waits until the server serves the kind, if the objects include a CustomResourceDefinition; null: the server does not
 * serve it.
 */
async function servedKind(
  { apiVersion, kind }: ObjectRef,
  objects: readonly KubeObject[],
  { session, kinds }: ApplyContext,
): Promise<Resource | null> {
  const { clock, timers } = session.platform;
  const isNew = objects.some((one) => one.kind === 'CustomResourceDefinition');
  const endMs = clock.monotonicMs() + (isNew ? NEW_KIND_MS : 0);
  for (;;) {
    const found = await kinds.find(apiVersion, kind);
    if (found !== null || clock.monotonicMs() >= endMs || session.hooks.signal.aborted)
      return found;
    await sleep(timers, NEW_KIND_PAUSE_MS, session.hooks.signal);
  }
}

/**
 * Deletes in reverse order; the server finishes in the background. Skips objects that are deleted already or that lack
 * our label. The deletion requires the UID that was read, so a recreated object stays. Stops at the first object that
 * could not be deleted.
 */
export async function deleteObjects(
  refs: readonly ObjectRef[],
  project: string,
  context: ApplyContext,
): Promise<PhaseResult<null>> {
  const { signal } = context.session.hooks;
  for (const ref of refs.toReversed()) {
    if (signal.aborted) return interrupted();
    try {
      await deleteOne(ref, project, context);
    } catch (error) {
      return refused(error, { what: 'deleted', ref, signal });
    }
  }
  return { outcome: 'Succeeded', value: null };
}

/**
 * The objects of the project that exist after their deletion: another session has deployed them again. An object that
 * cannot be read counts as one of them.
 */
export async function stillThere(
  refs: readonly ObjectRef[],
  project: string,
  context: ApplyContext,
): Promise<readonly ObjectRef[]> {
  const found = await mapAtOnce(refs, READS_AT_ONCE, async (ref) => {
    try {
      const { there } = await lookUp(ref, context);
      const { labels, deletionTimestamp } = there?.metadata ?? {};
      return labels?.[PROJECT_LABEL] === project && deletionTimestamp === undefined;
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
      return true;
    }
  });
  return refs.filter((_, index) => found[index] === true);
}

const READS_AT_ONCE = 10;

async function lookUp(
  ref: ObjectRef,
  { target, kinds }: ApplyContext,
): Promise<{ readonly resource: Resource | null; readonly there: KubeObject | null }> {
  const resource = await kinds.find(ref.apiVersion, ref.kind);
  const there = resource === null ? null : await getOrNull(target.client, resource, keyIn(ref));
  return { resource, there };
}

async function deleteOne(ref: ObjectRef, project: string, context: ApplyContext): Promise<void> {
  const { session, target } = context;
  const { resource, there } = await lookUp(ref, context);
  if (resource === null || there?.metadata?.labels?.[PROJECT_LABEL] !== project) return;
  const { uid } = there.metadata;
  try {
    await target.client.delete(resource, keyIn(ref), {
      propagationPolicy: 'Background',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    });
    emit(session, `${titleOf(ref)} deleted`);
  } catch (error) {
    // The object was deleted, or recreated with another UID.
    if (!isReason(error, 'NotFound', 'Conflict')) throw error;
  }
}

function emit({ hooks }: PipelineSession, line: string): void {
  hooks.emit({ type: 'Output', source: 'deploy', stream: 'stdout', line });
}

function unknownKind({ apiVersion, ...ref }: ObjectRef): PhaseFailure {
  const what = `${ref.kind} of ${apiVersion}`;
  return failure(
    `error LHL410: ${titleOf({ apiVersion, ...ref })} cannot be applied: the cluster has no kind ${what}.`,
    'Correct apiVersion or kind, or install its CustomResourceDefinition first.',
  );
}

interface Request {
  readonly what: keyof typeof NEXT;
  readonly ref: ObjectRef;
  readonly signal: CancelSignal;
}

/**
 * The failure of a request to the cluster. An interruption also ends requests, which then have no answer. An error that
 * is neither an answer of the cluster nor the lack of one is a bug of ours, and is rethrown.
 */
export function refused(error: unknown, { what, ref, signal }: Request): PhaseFailure {
  if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
  if (error instanceof UnreachableError && signal.aborted) return interrupted();
  const next =
    error instanceof UnreachableError
      ? 'Check whether the cluster answers: kubectl version.'
      : NEXT[what];
  return failure(`error LHL411: ${titleOf(ref)} could not be ${what}: ${error.message}`, next);
}

/** The next step for the user if the cluster has refused. */
const NEXT = {
  applied: 'Correct the manifest; delete the object first if the field cannot be changed.',
  created: 'Correct its name, or create it by hand.',
  deleted: 'Fix what the cluster says, and run the command again.',
} as const;

function failure(message: string, next: string): PhaseFailure {
  return { outcome: 'Failed', exitCode: 1, message: `${message}\n  next: ${next}` };
}

export function interrupted(): PhaseFailure {
  return { outcome: 'Cancelled', exitCode: INTERRUPTED, message: 'It was interrupted.' };
}

const INTERRUPTED = 130;
