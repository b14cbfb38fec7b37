/** Records in the HookRun which pod an attempt has, and how the attempt ended. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { again, type Outcome } from '../../../controller/reconcile.ts';
import { makeMasker } from '../../../model/secrets.ts';
import { errorText } from '../../../platform/error-text.ts';
import { HOOK_CONTAINER } from '../hookpod/hook-container.ts';
import { revoke } from './permit.ts';
import { withOutcome, withPod } from './run-status.ts';
import type { AttemptEnd, StageStep } from './stage.ts';
import { nowMs, type StageActing, writeRun } from './stage-acting.ts';
import { reportEnded, reportSettled } from './report-stage.ts';

type PodToRecord = Omit<Extract<StageStep, { kind: 'recordPod' }>, 'kind'>;

/** Records the UID of an attempt's pod. Once it is recorded, a missing pod counts as lost (ROLL-S3). */
export async function recordPod(
  acting: StageActing,
  { run, attempt, pod }: PodToRecord,
): Promise<Outcome> {
  const { status } = run;
  if (status === undefined) return again;
  await writeRun(acting, run, withPod(status, attempt, pod.metadata?.uid ?? ''));
  return again;
}

type OutcomeToRecord = Omit<Extract<StageStep, { kind: 'recordOutcome' }>, 'kind'>;

/**
 * Records the outcome with the last output of the hook, and then emits it. The permit is revoked before that write,
 * because afterwards the name of the pod is free for a late request.
 */
export async function recordOutcome(
  acting: StageActing,
  { run, attempt, pod, end, abort }: OutcomeToRecord,
): Promise<Outcome> {
  // The time before the log is read: the attempt has ended by then.
  const endedMs = nowMs(acting);
  const [printed, masked] = await Promise.all([
    pod === null ? null : readLastLines(acting, pod),
    maskedEnd(acting, pod, end),
    revoke(acting.client, run, attempt),
  ]);
  const { lines: lastLines = [], trouble = null } = printed ?? {};
  const status = withOutcome(run, { attempt, end: masked, lastLines, abort, nowMs: endedMs });
  const written = await writeRun(acting, run, status);
  reportEnded(acting, written, { attempt, trouble });
  reportSettled(acting, written);
  return again;
}

/** Masks the message of the pod: a node fills it with the end of the log if the hook has written none. */
async function maskedEnd(
  { context }: StageActing,
  pod: Pod | null,
  end: AttemptEnd,
): Promise<AttemptEnd> {
  if (end.message === undefined) return end;
  const { namespace = '', name = '' } = pod?.metadata ?? {};
  const key = { namespace, pod: name, container: HOOK_CONTAINER };
  const secrets = pod === null ? [] : ((await context.secretsOf?.(key)) ?? []);
  return { ...end, message: makeMasker(secrets).text(end.message) };
}

/**
 * Number of last output lines in the record. Secrets in them are masked by their form, and by their value if the
 * controllers may read the Secrets of the hook's pod.
 */
const LAST_LINES = 20;
const LAST_BYTES = 4_096;

interface LastLines {
  readonly lines: readonly string[];
  /** Why the log could not be read; null: it was read. */
  readonly trouble: string | null;
}

/** The last lines of the log. Never rejects. */
async function readLastLines({ context }: StageActing, pod: Pod): Promise<LastLines> {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  const of = { namespace, name, container: HOOK_CONTAINER };
  try {
    const text = await context.readLogTail(of, { lines: LAST_LINES, bytes: LAST_BYTES });
    return { lines: linesOf(text), trouble: null };
  } catch (error) {
    return { lines: [], trouble: errorText(error) };
  }
}

function linesOf(text: string): string[] {
  const trimmed = text.replace(/\r?\n$/, '');
  return trimmed === '' ? [] : trimmed.split('\n').slice(-LAST_LINES);
}
