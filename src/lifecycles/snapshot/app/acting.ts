/** The context of every step, and the two ways in which a step reports its work. */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import { again, type Outcome } from '../../../controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { SnapshotContext } from '../context.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshot,
  type ApplicationSnapshotStatus,
} from '../kinds.ts';
import { endOf } from '../recorded-events.ts';
import type { SnapshotEvent } from '../snapshot-event.ts';
import type { SnapshotCaches } from './caches.ts';
import { withConditions } from './conditions-of.ts';
import type { SnapshotFacts } from './facts.ts';
import type { Failure } from './failure.ts';
import { fitEvidence } from './fit-evidence.ts';
import { identify } from './identify.ts';
import type { MarkTimes } from './mark-times.ts';

export interface Acting {
  readonly context: SnapshotContext;
  readonly caches: SnapshotCaches;
  readonly markTimes: MarkTimes;
  /** A random secret of this process. The tokens that prove a cut derive from it (SNAP-S8). */
  readonly cutSecret: string;
  /** Refuses to write once this process no longer leads. */
  readonly client: KubeClient;
  readonly facts: SnapshotFacts;
}

export function nowText({ context }: Acting): string {
  return microTimeText(context.platform.clock.nowMs());
}

/** Writes the status that was read, with these fields changed, fitted to the size that the server stores. */
export async function writeStatus(
  { client, caches, facts, context }: Acting,
  change: ApplicationSnapshotStatus,
): Promise<ApplicationSnapshot> {
  const object = facts.snapshot;
  const nowMs = context.platform.clock.nowMs();
  const reported = withConditions(object, { ...object.status, ...change }, nowMs);
  const status = fitEvidence(object, reported);
  const resource = applicationSnapshots;
  const written = await writeStatusIfChanged({ client, resource, object, status });
  caches.writtenApplications.remember(written);
  return written;
}

export function recordEvent(
  { context, facts }: Acting,
  type: 'Normal' | 'Warning',
  { reason, message }: Failure,
): void {
  const about = aboutObject(applicationSnapshots, facts.snapshot);
  context.recorder.record({ about, type, reason, message });
}

/**
 * Fails the snapshot for good (SNAP-R31, SNAP-R32). The failure is durable first, so that a restart continues from it.
 */
export async function fail(acting: Acting, { reason, message }: Failure): Promise<Outcome> {
  const at = nowText(acting);
  const verdict = { value: 'Inconsistent', reason, message, decidedAt: at } as const;
  const judged = isToJudge(acting.facts.snapshot) ? { verdict } : {};
  const change = { phase: 'Failed', failure: { reason, message, at }, ...judged } as const;
  const written = await writeStatus(acting, change);
  recordEvent(acting, 'Warning', { reason, message });
  observeEnd(acting, written);
  return again;
}

/** Whether a snapshot may exist without a verdict. A window is judged by the objects that it admitted. */
function isToJudge({ spec, status = {} }: ApplicationSnapshot): boolean {
  const { cutRequestedAt, admitted = [] } = status;
  if (cutRequestedAt === undefined) return false;
  return spec.window === undefined || admitted.some(({ verdict }) => verdict === undefined);
}

/** Emits the events of the end of a snapshot. Call it once the end is stored. */
export function observeEnd({ context }: Acting, written: ApplicationSnapshot): void {
  for (const { event } of endOf(written)) context.observe(event);
  const { window } = written.spec;
  if (window !== undefined) context.observe(windowEnd(written, window.guardName));
}

function windowEnd(written: ApplicationSnapshot, guard: string): SnapshotEvent {
  const { admitted = [], failure, verdict } = written.status ?? {};
  const { namespace, name: snapshot } = identify(written);
  const about = { namespace, snapshot, guard, admitted: admitted.length };
  return { type: 'WindowEnded', ...about, reason: (failure ?? verdict)?.reason ?? '' };
}

/** Whether the server refused the request for good. 405: the definition of the kind is being deleted. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 403, 404, 405, 422].includes(error.code);
}
