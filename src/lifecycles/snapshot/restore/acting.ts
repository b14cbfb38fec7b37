/** The context of every step of a restore, and the ways in which a step reports its work. */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import { again, type Outcome } from '../../../controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { Failure } from '../app/failure.ts';
import type { SnapshotContext } from '../context.ts';
import type { Attempts } from '../hook/attempts.ts';
import type { RestoreCaches } from './caches.ts';
import { withConditions } from './conditions-of.ts';
import type { RestoreFacts } from './facts.ts';
import { type SnapshotRestore, type SnapshotRestoreStatus, snapshotRestores } from './kinds.ts';
import { judgeStopped } from './stopped.ts';

export interface Acting {
  readonly context: SnapshotContext;
  readonly caches: RestoreCaches;
  /** Refuses to write once this process no longer leads. */
  readonly client: KubeClient;
  readonly attempts: Attempts;
  /** Reconciles this restore again. */
  readonly requeue: () => void;
  readonly facts: RestoreFacts;
}

export function nowText({ context }: Acting): string {
  return microTimeText(context.platform.clock.nowMs());
}

/** Writes the status that was read, with these fields changed. */
export async function writeStatus(
  acting: Acting,
  change: SnapshotRestoreStatus,
): Promise<SnapshotRestore> {
  return write(acting, change);
}

/** Reports what a restore waits for in this phase. */
export async function writeWaiting(acting: Acting, waiting: Failure): Promise<void> {
  const { phase = 'Pending' } = acting.facts.restore.status ?? {};
  await write(acting, { phase }, waiting);
}

async function write(
  { client, caches, facts, context }: Acting,
  change: SnapshotRestoreStatus,
  waiting?: Failure,
): Promise<SnapshotRestore> {
  const object = facts.restore;
  const nowMs = context.platform.clock.nowMs();
  const status = withConditions(object, { ...object.status, ...change }, { nowMs, waiting });
  const resource = snapshotRestores;
  const written = await writeStatusIfChanged({ client, resource, object, status });
  caches.written.remember(written);
  return written;
}

export function recordEvent(
  { context, facts }: Acting,
  type: 'Normal' | 'Warning',
  { reason, message }: Failure,
): void {
  const about = aboutObject(snapshotRestores, facts.restore);
  context.recorder.record({ about, type, reason, message });
}

/** Fails the restore. The failure, and which workloads stay stopped, is stored first; then the clean-up begins. */
export async function fail(
  acting: Acting,
  { reason, message }: Failure,
  change: SnapshotRestoreStatus = {},
): Promise<Outcome> {
  const { restore } = acting.facts;
  const stopped = await judgeStopped(acting.client, restore);
  // A message that ends with the output of a hook may have no full stop.
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  const text =
    stopped.length === 0 ? message : [sentence, ...stopped.map((each) => each.text)].join(' ');
  const failure = { reason, message: text, at: nowText(acting) };
  const kept = stopped.filter(({ isKept }) => isKept);
  const scaled = restore.status?.scaled?.map((each) =>
    kept.some(({ workload }) => workload === each) ? { ...each, keptStopped: true } : each,
  );
  const rest = scaled === undefined ? {} : { scaled };
  await writeStatus(acting, { ...change, ...rest, startedAt: startOf(acting), failure });
  recordEvent(acting, 'Warning', { reason, message });
  for (const each of kept) {
    recordEvent(acting, 'Warning', { reason: 'WorkloadStopped', message: each.text });
  }
  return again;
}

export function startOf(acting: Acting): string {
  return acting.facts.restore.status?.startedAt ?? nowText(acting);
}
