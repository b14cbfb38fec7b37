/**
 * Writes the status that a reconcile has decided. A freeze starts only after its record is stored; a thaw waits at most
 * `ANSWER_MS` for its record. If the server refuses the record of a thaw, does not answer, or has a newer version each
 * time, the thaw continues and its results are kept in memory. The write is retried, first with the whole status, then
 * with its smallest form.
 */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import { ApiError, isReason, UnreachableError } from '../../../kube/api-error.ts';
import { type ExecutionHook, executionHooks, type ExecutionHookStatus } from '../kinds.ts';
import { isCutSeen } from './ask-after-cut.ts';
import type { Driving } from './hook-state.ts';
import { smallestStatus } from './smallest-form.ts';
import { uidOf } from './targets.ts';

export type Recorded =
  | { readonly kind: 'durable'; readonly object: ExecutionHook }
  /** The server refused the status, or did not answer. `inMs`: milliseconds until the retry. */
  | { readonly kind: 'owed'; readonly inMs: number };

export interface Recording {
  /** The version of the hook that the server is known to have. */
  readonly stored: ExecutionHook;
  readonly status: ExecutionHookStatus;
  /** Milliseconds until the next planned reconcile, such as the one at the expiry; null: none is planned. */
  readonly inMs: number | null;
}

/**
 * Whether the server refused the write: too large, a quota, another webhook, no permission, or too many requests. A
 * busy server may stay busy for long. A thaw waits for none of these to end.
 */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && !isReason(error, 'Conflict', 'NotFound');
}

/**
 * Milliseconds that a thaw, or the probe before it, waits at most for its record. A webhook of another project may
 * hang, and another client may change the hook all the time.
 */
export const ANSWER_MS = 2_000;

/** Milliseconds that a freeze waits at most for the answer to its record: its thaw may be requested meanwhile. */
const FREEZE_ANSWER_MS = 10_000;

/** The write may have taken effect without an answer. The resourceVersion of the next write shows it as a conflict. */
export function isUnanswered(error: unknown): error is UnreachableError {
  return error instanceof UnreachableError && error.sent;
}

/** Rejects if the record was not stored and the next step requires it. */
export async function recordStatus(driving: Driving, recording: Recording): Promise<Recorded> {
  const { kept, context } = driving.shared;
  const { stored, status } = recording;
  const uid = uidOf(stored);
  const beganMs = context.platform.clock.monotonicMs();
  const waitMs = kept.waitMs(uid, beganMs);
  if (waitMs > 0) {
    kept.change(uid, status);
    observeKept(driving, stored, status);
    return { kind: 'owed', inMs: waitMs };
  }
  const wasOwed = kept.isOwed(uid);
  const tried = await tryForms(driving, recording);
  if (tried.kind === 'durable') {
    if (wasOwed) observeKept(driving, stored, null);
    return tried;
  }
  observeKept(driving, stored, status);
  if (!wasOwed) reportUntaken(driving, stored, tried);
  kept.owe(uid, status, beganMs);
  return { kind: 'owed', inMs: kept.waitMs(uid, beganMs) };
}

interface Writing extends Recording {
  /** End of the wait for the record, in milliseconds of the monotonic clock. */
  readonly endMs: number;
}

type Tried = Extract<Recorded, { kind: 'durable' }> | Untaken;

interface Untaken {
  readonly kind: 'refused' | 'unanswered';
  readonly why: string;
}

/** The reasons of the Events. */
const REASONS = { refused: 'StatusRefused', unanswered: 'StatusUnanswered' } as const;

async function tryForms(driving: Driving, whole: Recording): Promise<Tried> {
  const { status } = whole;
  const endMs = nowMs(driving) + answerMs({ ...whole.stored, status }, whole.inMs);
  const recording = { ...whole, endMs };
  try {
    return await write(driving, recording);
  } catch (error) {
    if (status.release === undefined || driving.pass.signal.aborted) throw error;
    if (isUnanswered(error)) return { kind: 'unanswered', why: error.message };
    if (isReason(error, 'Conflict')) return writeContended(driving, recording, error);
    if (!isRefusal(error)) throw error;
    if (isOver(driving, recording)) return { kind: 'refused', why: error.message };
  }
  return writeSmallest(driving, recording);
}

async function writeSmallest(driving: Driving, recording: Writing): Promise<Tried> {
  try {
    return await write(driving, { ...recording, status: smallestStatus(recording.status) });
  } catch (error) {
    if (isUnanswered(error)) return { kind: 'unanswered', why: error.message };
    if (!isRefusal(error)) throw error;
    return { kind: 'refused', why: error.message };
  }
}

/** Maximum number of tries after a conflict. A thaw needs none of these writes, so it does not wait for more. */
const CONTENDED_TRIES = 5;

/**
 * Retries on a newer version: another client may change the metadata of the hook faster than its status is read and
 * written. Rejects with the conflict if the status itself has changed, so that the next step is decided anew.
 */
async function writeContended(
  driving: Driving,
  recording: Writing,
  conflict: ApiError,
): Promise<Tried> {
  try {
    for (let tries = 0; tries < CONTENDED_TRIES && !isOver(driving, recording); tries += 1) {
      const stored = await readSame(driving, recording);
      if (stored === null) throw conflict;
      const written = await writeUnlessOutdated(driving, { ...recording, stored });
      if (written !== null) return written;
    }
  } catch (error) {
    if (driving.pass.signal.aborted || !isUnanswered(error)) throw error;
    return { kind: 'unanswered', why: error.message };
  }
  return { kind: 'refused', why: conflict.message };
}

/** The newest version of the object; null: the name belongs to another object, or the status has changed. */
async function readSame(driving: Driving, recording: Writing): Promise<ExecutionHook | null> {
  const { client, pass } = driving;
  const { stored } = recording;
  const { namespace = '', name = '' } = stored.metadata ?? {};
  const call = { signal: pass.signal, timeoutMs: leftMs(driving, recording) };
  const newest = await client.get(executionHooks, { namespace, name }, call);
  const isSame = uidOf(newest) === uidOf(stored);
  return isSame && sameJson(newest.status ?? {}, stored.status ?? {}) ? newest : null;
}

/** null: another client has changed the object since it was read. */
async function writeUnlessOutdated(
  driving: Driving,
  recording: Writing,
): Promise<Extract<Recorded, { kind: 'durable' }> | null> {
  try {
    return await write(driving, recording);
  } catch (error) {
    if (isReason(error, 'Conflict')) return null;
    throw error;
  }
}

async function write(
  driving: Driving,
  recording: Writing,
): Promise<Extract<Recorded, { kind: 'durable' }>> {
  const { shared, client, pass } = driving;
  const { stored, status } = recording;
  const timeoutMs = leftMs(driving, recording);
  const { signal } = pass;
  const order = { client, resource: executionHooks, object: stored, status, signal, timeoutMs };
  const written = await writeStatusIfChanged(order);
  shared.own.remember(written);
  shared.kept.keep(uidOf(written), written.status ?? {});
  return { kind: 'durable', object: written };
}

/** Milliseconds; a request with a shorter timeout would probably not be answered. */
const LEAST_MS = 50;

function isOver(driving: Driving, { endMs }: Writing): boolean {
  return endMs - nowMs(driving) < LEAST_MS;
}

function leftMs(driving: Driving, { endMs }: Writing): number {
  return Math.max(LEAST_MS, endMs - nowMs(driving));
}

function nowMs({ shared }: Driving): number {
  return shared.context.platform.clock.monotonicMs();
}

/** Milliseconds to wait for the answer. After the cut they are few, since the thaw is requested within milliseconds. */
function answerMs(hook: ExecutionHook, inMs: number | null): number {
  if (hook.status?.release !== undefined || isCutSeen(hook)) return ANSWER_MS;
  return Math.min(Math.max(inMs ?? FREEZE_ANSWER_MS, ANSWER_MS), FREEZE_ANSWER_MS);
}

function observeKept(
  { shared }: Driving,
  { metadata = {} }: ExecutionHook,
  status: ExecutionHookStatus | null,
): void {
  const { namespace = '', name: hook = '', uid = '' } = metadata;
  shared.context.observe({ type: 'StatusKept', namespace, hook, uid, status });
}

function reportUntaken({ shared }: Driving, stored: ExecutionHook, { kind, why }: Untaken): void {
  const what = kind === 'refused' ? 'rejects the status' : 'did not answer a write of the status';
  const message = `The server ${what} of this hook: ${why}. The thaw continues, and is recorded as soon as the server accepts it.`;
  const about = aboutObject(executionHooks, stored);
  shared.context.recorder.record({ about, type: 'Warning', reason: REASONS[kind], message });
}
