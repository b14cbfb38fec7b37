/**
 * Reconciles a hook once: gathers the facts, decides, writes the status, and only then starts the attempts in it.
 *
 *   new ──> refused (nothing ever runs) <─┐
 *    │ └──> waits for a missing object ────┘
 *    └────> begun: finalizer on ─> freezing ─> frozen ─> released ─> thawing ─> settled: finalizer off
 */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { fencedClient } from '../../../controller/fenced-client.ts';
import { isTerminating, removeFinalizer } from '../../../controller/finalizers.ts';
import { parseKey } from '../../../controller/object-key.ts';
import { readAgain, readOnce } from '../../../controller/read-once.ts';
import {
  done,
  type Outcome,
  type PassContext,
  requeueAfter,
} from '../../../controller/reconcile.ts';
import { isReason } from '../../../kube/api-error.ts';
import { type ExecutionHook, executionHooks, type ResolvedActions } from '../kinds.ts';
import { HOOK_FINALIZER } from '../names.ts';
import { beginHook, type Refusal, type Waiting } from './begin-hook.ts';
import { beginOrders, beginRound, type OrderFacts } from './begin-round.ts';
import { decide, type HookDecision } from './decide.ts';
import type { Blocked, TargetFacts } from './facts.ts';
import { gatherFacts } from './gather.ts';
import { holderOf } from './hold-registry.ts';
import type { Driving, HookState } from './hook-state.ts';
import { holdOn, mark, unmark } from './hold-hook.ts';
import { noOtherHost } from '../../../handlers/allowed-hosts.ts';
import { findLost, isStatusLost } from './lost-status.ts';
import { refuse, waitToBegin } from './not-begun.ts';
import { noteAttempts, takeOver } from './note-attempts.ts';
import { overdueTargets } from './overdue.ts';
import { recordStatus, type Recorded } from './record-status.ts';
import { isBegun, isIssued, isRefused, isSettled, targetsOf, uidOf } from './targets.ts';
import { eventsOf, notesOf } from './status-changes.ts';

/** Milliseconds that a thawed, terminating hook with finalizers of others waits until its status can be stored. */
const RECORD_PATIENCE_MS = 60_000;

export async function driveHook(
  shared: HookState,
  key: string,
  pass: PassContext,
): Promise<Outcome> {
  shared.changes.starts(key);
  try {
    return await reconcile(shared, key, pass);
  } finally {
    shared.changes.ends(key);
  }
}

async function reconcile(shared: HookState, key: string, pass: PassContext): Promise<Outcome> {
  const client = fencedClient(shared.context.client, pass.mayAct);
  const reading = { client, cache: shared.hooks, own: shared.own };
  const cached = shared.newest(key);
  const hook = cached === undefined || isOver(cached) ? cached : await readOnce(reading, key);
  if (hook === undefined) {
    shared.forget(key);
    return done;
  }
  shared.know(key, uidOf(hook));
  try {
    return await drive({ shared, key, pass, client }, hook);
  } catch (error) {
    // The object was outdated. Read it again, so that the next reconcile starts from the newest version.
    if (isReason(error, 'Conflict')) await readAgain(reading, key);
    throw error;
  }
}

/** Whether the hook is in a terminal state. */
function isOver(hook: ExecutionHook): boolean {
  return isRefused(hook) || isSettled(hook);
}

async function drive(driving: Driving, stored: ExecutionHook): Promise<Outcome> {
  const { kept } = driving.shared;
  const hook = kept.over(stored);
  if (isStatusLost(hook, kept.isMarked(uidOf(hook)))) return thawLost(driving, hook);
  const isRecorded = hook === stored;
  if (isRefused(hook) || (isSettled(hook) && isRecorded)) return rest(driving, hook);
  const { status = {} } = hook;
  if (isRecorded) kept.keep(uidOf(hook), status);
  if (isBegun(hook) && status.resolved !== undefined) {
    return proceed(driving, { hook, stored, resolved: status.resolved });
  }
  return isTerminating(hook) ? rest(driving, hook) : begin(driving, hook);
}

/** Thaws a hook whose status was removed, and freezes nothing. */
async function thawLost(driving: Driving, stored: ExecutionHook): Promise<Outcome> {
  const { shared, key } = driving;
  const found = await findLost(driving, stored);
  if (found.kind === 'rests') return rest(driving, stored);
  if (found.kind === 'refused') return refuse(driving, stored, found);
  const { status } = found;
  const { resolved } = status;
  const hook = { ...stored, status };
  // Another hook may have frozen a target since. This hook must not thaw that freeze (SNAP-I9).
  const blocked = shared.holds.blockOf(holderOf(key, hook), {
    targets: targetsOf(hook),
    claimNames: [],
  });
  if (blocked?.reason === 'WaitsForHold' || resolved === undefined) return done;
  return proceed(driving, { hook, stored, resolved });
}

/** Removes our finalizer from a hook for which nothing is left to do. */
async function rest(
  { shared, key, client, pass }: Driving,
  object: ExecutionHook,
): Promise<Outcome> {
  // An earlier reconcile with an older state may have registered more holds, and then failed to write its status.
  shared.wake(...shared.holds.update(holderOf(key, object), targetsOf(object)));
  const { signal } = pass;
  const write = { client, resource: executionHooks, object, finalizer: HOOK_FINALIZER, signal };
  const left = await removeFinalizer(write);
  if (left !== null && left !== object) shared.own.remember(left);
  if (left !== null) shared.changes.rests(key, left);
  shared.drop(uidOf(object));
  return done;
}

async function begin(driving: Driving, hook: ExecutionHook): Promise<Outcome> {
  const { client, pass } = driving;
  const { resolveRecipe, context } = driving.shared;
  const call = { signal: pass.signal };
  const readMs = context.platform.clock.monotonicMs();
  const ageMs = driving.shared.ageMs(hook);
  const beginning = await beginHook(hook, {
    client,
    resolveRecipe,
    call,
    ageMs,
    isAllowedHost: context.isAllowedHost ?? noOtherHost,
  });
  if (beginning.kind !== 'begun') return doNotBegin(driving, hook, beginning);
  driving.shared.targetsWereRead(uidOf(hook), readMs);
  const stored = await mark(driving, hook);
  const { status } = beginning;
  const { resolved } = status;
  if (resolved === undefined) return done;
  return proceed(driving, { hook: { ...stored, status }, stored, resolved });
}

async function doNotBegin(
  driving: Driving,
  hook: ExecutionHook,
  beginning: Refusal | Waiting,
): Promise<Outcome> {
  const unmarked = await unmark(driving, hook);
  if (unmarked === null) return done;
  return beginning.kind === 'refused'
    ? refuse(driving, unmarked, beginning)
    : waitToBegin(driving, unmarked, beginning);
}

interface Proceeding {
  /** The hook with its first status, which may not be stored yet. */
  readonly hook: ExecutionHook;
  readonly stored: ExecutionHook;
  readonly resolved: ResolvedActions;
}

async function proceed(
  driving: Driving,
  { hook, stored: found, resolved }: Proceeding,
): Promise<Outcome> {
  const { shared, key, pass } = driving;
  const { stored, refusal } = await holdOn(driving, found);
  const gathered = await gatherFacts(shared, hook, { resolved, call: { signal: pass.signal } });
  // No await from here to the update of the holds, so that no other hook can freeze a target meanwhile (SNAP-I9).
  const blocked = blockOf(driving, hook, gathered.targets);
  const decision = decide({ ...gathered, blocked }, resolved);
  const { status } = decision;
  if (refusal !== null && status.release === undefined) throw refusal;
  const after = targetsOf({ ...hook, status });
  // New holds count from here on. Released holds count until the release is stored.
  const overdue = overdueTargets(status, gathered.nowMs);
  const both = [...targetsOf(stored), ...after];
  const overdueYet = [...overdueTargets(stored.status ?? {}, gathered.nowMs), ...overdue];
  shared.wake(...shared.holds.update(holderOf(key, hook), both, overdueYet));
  noteAttempts(shared, uidOf(hook), decision);
  const decidedMs = shared.context.platform.clock.monotonicMs();
  const facts = { shared, key, hook, resolved, decidedMs, mayAct: pass.mayAct };
  // A probe changes nothing: it needs no record, and the frozen application need not wait for one.
  const mayAsk = pass.mayAct();
  if (mayAsk) beginRound(decision.asks, facts);
  const recorded = await recordStatus(driving, { stored, status, inMs: decision.inMs });
  takeOver(shared, hook, decision);
  report(driving, hook, decision);
  if (recorded.kind === 'owed')
    return continueUnrecorded(facts, { driving, stored, decision, recorded });
  shared.wake(...shared.holds.update(holderOf(key, hook), after, overdue));
  if (decision.isSettled) return rest(driving, recorded.object);
  const mayBegin = beginDecided(facts, decision);
  if (mayAsk && mayBegin && refusal === null) shared.changes.rests(key, recorded.object);
  return lookAgain(decision, null);
}

interface Unrecorded {
  readonly driving: Driving;
  readonly stored: ExecutionHook;
  readonly decision: HookDecision;
  readonly recorded: Extract<Recorded, { kind: 'owed' }>;
}

/** Starts only thaws, since the status with the attempts could not be stored. */
async function continueUnrecorded(
  facts: OrderFacts,
  { driving, stored, decision, recorded }: Unrecorded,
): Promise<Outcome> {
  if (decision.isSettled && mayRestUnrecorded(driving, stored)) return rest(driving, stored);
  const orders = decision.orders.filter(({ action }) => action === 'post');
  beginDecided(facts, { ...decision, orders });
  return lookAgain(decision, recorded.inMs);
}

/** Starts the decided attempts if this process still leads. Returns whether it may start attempts. */
function beginDecided(facts: OrderFacts, { orders }: HookDecision): boolean {
  const mayBegin = facts.mayAct();
  if (mayBegin) beginOrders(orders, facts);
  return mayBegin;
}

function lookAgain({ inMs }: HookDecision, recordInMs: number | null): Outcome {
  const waits = [inMs, recordInMs].filter((ms) => ms !== null);
  if (waits.length === 0) return done;
  return requeueAfter(Math.max(1, Math.ceil(Math.min(...waits))), 'the next attempt or the expiry');
}

/**
 * Whether a thawed hook that is being deleted may lose our finalizer although the server refuses its record: at once if
 * our finalizer is the only one, else after RECORD_PATIENCE_MS.
 */
function mayRestUnrecorded({ shared }: Driving, object: ExecutionHook): boolean {
  if (!isTerminating(object)) return false;
  const others = object.metadata?.finalizers?.some((each) => each !== HOOK_FINALIZER) === true;
  const owedMs = shared.kept.owedForMs(uidOf(object), shared.context.platform.clock.monotonicMs());
  return !others || (owedMs ?? 0) >= RECORD_PATIENCE_MS;
}

/** Why no freeze may start now; null: it may. A hook that has already started a freeze is never blocked. */
function blockOf(
  { shared, key }: Driving,
  hook: ExecutionHook,
  known: readonly Pick<TargetFacts, 'claimNames'>[],
): Blocked | null {
  const targets = targetsOf(hook);
  const isNew = hook.status?.release === undefined && !targets.some(isIssued);
  const claimNames = known.flatMap((target) => target.claimNames);
  return isNew ? shared.holds.blockOf(holderOf(key, hook), { targets, claimNames }) : null;
}

function report({ shared, key }: Driving, hook: ExecutionHook, { status }: HookDecision): void {
  const { recorder, observe, platform } = shared.context;
  const { namespace = '' } = parseKey(key);
  const reported = {
    namespace,
    hook: hook.metadata?.name ?? '',
    uid: uidOf(hook),
    before: hook.status ?? {},
    after: status,
    nowMs: platform.clock.nowMs(),
  };
  const about = aboutObject(executionHooks, hook);
  for (const note of notesOf(reported)) recorder.record({ about, ...note });
  for (const event of eventsOf(reported)) observe(event);
}
