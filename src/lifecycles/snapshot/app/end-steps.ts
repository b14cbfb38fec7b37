/** The steps after the cut or after a failure: evidence, verdict, and deletion of what was created. */
import { isTerminating, removeFinalizer } from '../../../controller/finalizers.ts';
import { again, done, type Outcome } from '../../../controller/reconcile.ts';
import { deleteIfSame } from '../../../kube/get-or-null.ts';
import {
  type HookEvidence,
  applicationSnapshots,
  type ApplicationSnapshotStatus,
  type ExecutionHook,
  executionHooks,
} from '../kinds.ts';
import { CUT_RELEASE, EVIDENCE_FINALIZER, SNAPSHOT_FINALIZER } from '../names.ts';
import { type Acting, nowText, observeEnd, recordEvent, writeStatus } from './acting.ts';
import { evidenceOf, KEPT_TARGETS_MAX } from './evidence.ts';
import type { HookFacts } from './facts.ts';
import { identify } from './identify.ts';
import { eventType, markVerdicts } from './mark-steps.ts';
import { readNewUsers } from './new-users.ts';
import { readIdentities } from './read-identities.ts';
import type { Step } from './step.ts';
import { isSettled } from './thaw-order.ts';
import { judge } from './verdict.ts';
import { ownMarksDue } from './window-marks.ts';

export async function keepEvidence(acting: Acting, names: readonly string[]): Promise<Outcome> {
  const { client, facts } = acting;
  const { namespace } = identify(facts.snapshot);
  const settled = facts.hooks.filter(({ name }) => names.includes(name));
  const there = settled.flatMap(({ hook }) => hook ?? []);
  const identityOf = await readIdentities(client, namespace, there);
  const withNewUser = await readNewUsers(client, facts.snapshot);
  const targetsMax = Math.max(1, Math.floor(KEPT_TARGETS_MAX / facts.hooks.length));
  const proofs = facts.snapshot.status ?? {};
  const found = settled.map((each) =>
    withNewUser(evidenceOf(each, { identityOf, proofs, targetsMax }), each),
  );
  await writeStatus(acting, evidenceStatus(facts.snapshot.status ?? {}, found));
  for (const { name, postActionSucceed } of found) {
    if (postActionSucceed !== false) continue;
    const message = `The postAction of hook ${name} has failed: something may still be frozen. The hook stays.`;
    recordEvent(acting, 'Warning', { reason: 'PostActionFailed', message });
  }
  return again;
}

/** Sorts the evidence in the order of the hooks. The thaw is over when the evidence of every hook is recorded. */
function evidenceStatus(
  { hooks: known = [], executionHookNames = [], failure }: ApplicationSnapshotStatus,
  found: readonly HookEvidence[],
): ApplicationSnapshotStatus {
  const all = [...known, ...found];
  const hooks = executionHookNames.flatMap((name) => all.find((one) => one.name === name) ?? []);
  const isOver = hooks.length === executionHookNames.length && failure === undefined;
  return { hooks, ...(isOver ? { phase: 'Finishing' as const } : {}) };
}

export async function finishHook(
  acting: Acting,
  { hook, delete: deleteIt }: Extract<Step, { kind: 'finishHook' }>,
): Promise<Outcome> {
  const { client, caches } = acting;
  const object = deleteIt && !isTerminating(hook) ? await deleteHook(acting, hook) : hook;
  // The hook is deleted. The watch reports that, which starts the next reconcile.
  if (object === null) return done;
  const finalizer = EVIDENCE_FINALIZER;
  const left = await removeFinalizer({ client, resource: executionHooks, object, finalizer });
  if (left === null) return done;
  caches.writtenHooks.remember(left);
  return again;
}

/**
 * Deletes the hook, which also requests its thaw (SNAP-R13). Resolves with the terminating hook; null: it is deleted.
 */
export async function deleteHook(
  { client, caches }: Pick<Acting, 'client' | 'caches'>,
  hook: ExecutionHook,
): Promise<ExecutionHook | null> {
  const terminating = await deleteIfSame(client, executionHooks, hook);
  if (terminating !== null) caches.writtenHooks.remember(terminating);
  return terminating;
}

/**
 * Deletes every hook whose thaw was not requested, the last one first, without waiting for its thaw. If the server
 * refuses a deletion, the others are still deleted; then rejects.
 */
export async function thawAll(
  acting: Pick<Acting, 'client' | 'caches'>,
  hooks: readonly HookFacts[],
): Promise<void> {
  const errors: unknown[] = [];
  for (const { hook } of hooks.toReversed()) {
    if (hook === null || isTerminating(hook) || isSettled(hook)) continue;
    if (hook.metadata?.annotations?.[CUT_RELEASE] !== undefined) continue;
    try {
      await deleteHook(acting, hook);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * Requests the deletions, and does not wait until they are done: while the snapshotter cuts a snapshot, it keeps the
 * object.
 */
export async function deleteSnapshots(
  { client, caches: { kinds } }: Acting,
  { snapshots: single, groups }: Extract<Step, { kind: 'deleteSnapshots' }>,
): Promise<Outcome> {
  const { snapshots, groups: ofGroups } = kinds;
  await Promise.all(single.map((each) => deleteIfSame(client, snapshots.resource, each)));
  await Promise.all(groups.map((each) => deleteIfSame(client, ofGroups.resource, each)));
  return again;
}

export async function judgeSnapshot(acting: Acting): Promise<Outcome> {
  const { facts } = acting;
  const { spec, status = {} } = facts.snapshot;
  const decidedAt = nowText(acting);
  const verdict = judge({ status, mode: spec.mode ?? 'Single', decidedAt });
  // The marks are written before the verdict: a client that waits for the verdict in the status finds them.
  await markVerdicts(acting, ownMarksDue(facts, verdict));
  const change = { phase: 'Completed', completedAt: decidedAt, verdict } as const;
  const written = await writeStatus(acting, change);
  const message = `${verdict.reason}: ${verdict.message}`;
  recordEvent(acting, eventType(verdict), { reason: verdict.value, message });
  observeEnd(acting, written);
  return again;
}

export async function finishFailure(acting: Acting): Promise<Outcome> {
  await writeStatus(acting, { completedAt: nowText(acting) });
  return again;
}

export async function removeOurFinalizer({ client, caches, facts }: Acting): Promise<Outcome> {
  const object = facts.snapshot;
  const resource = applicationSnapshots;
  const left = await removeFinalizer({ client, resource, object, finalizer: SNAPSHOT_FINALIZER });
  if (left !== null) caches.writtenApplications.remember(left);
  return done;
}
