/**
 * One pass over a hook: gather, decide, write the status once, and only then begin what it says has begun.
 *
 *   new ──> refused (nothing ever runs) <─┐
 *    │ └──> waits for what is not there yet ─┤
 *    └────> begun: finalizer on ─> freezing ─> frozen ─> released ─> thawing ─> settled: finalizer off
 */
import { aboutObject } from '../../../controller/event-recorder.ts';
import { fencedClient } from '../../../controller/fenced-client.ts';
import {
  addFinalizer,
  finalizerStep,
  isGoing,
  removeFinalizer,
} from '../../../controller/finalizers.ts';
import { parseKey } from '../../../controller/object-key.ts';
import {
  done,
  type Outcome,
  type PassContext,
  requeueAfter,
} from '../../../controller/reconcile.ts';
import { writeStatusIfChanged } from '../../../controller/write-status.ts';
import { isReason } from '../../../kube/api-error.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import {
  type ContainerStatus,
  type ExecutionHook,
  executionHooks,
  type ResolvedActions,
} from '../kinds.ts';
import { HOOK_FINALIZER } from '../names.ts';
import { attemptId, type AttemptNumber } from './attempt.ts';
import { beginHook } from './begin-hook.ts';
import { beginOrders } from './begin-orders.ts';
import { beginRound } from './begin-round.ts';
import { decide, type HookDecision } from './decide.ts';
import type { Driving } from './driving.ts';
import type { Blocked } from './facts.ts';
import { gatherFacts, openAttempt } from './gather.ts';
import { holderOf } from './hold-registry.ts';
import type { HookRoom } from './hook-room.ts';
import { refuse, waitToBegin } from './not-begun.ts';
import { isBegun, isIssued, isRefused, isSettled, targetsOf, uidOf } from './targets.ts';

import { eventsOf, notesOf } from './tell.ts';

export async function driveHook(room: HookRoom, key: string, pass: PassContext): Promise<Outcome> {
  const hook = room.own.newest(key, room.hooks.get(key));
  if (hook === undefined) {
    room.forget(key);
    return done;
  }
  room.know(key, uidOf(hook));
  const driving = { room, key, pass, client: fencedClient(room.context.client, pass.mayAct) };
  try {
    return await drive(driving, hook);
  } catch (error) {
    // What was read is not the newest any more: the next pass begins with what is.
    if (isReason(error, 'Conflict')) await refresh(driving);
    throw error;
  }
}

async function refresh({ room, key, client }: Driving): Promise<void> {
  const newest = await getOrNull(client, executionHooks, parseKey(key));
  if (newest !== null) room.own.remember(newest);
}

async function drive(driving: Driving, hook: ExecutionHook): Promise<Outcome> {
  if (isRefused(hook) || isSettled(hook)) return rest(driving, hook);
  const { resolved } = hook.status ?? {};
  if (isBegun(hook) && resolved !== undefined) {
    const stored = await hold(driving, hook);
    return goOn(driving, { hook: stored, stored, resolved });
  }
  return isGoing(hook) ? rest(driving, hook) : begin(driving, hook);
}

/** Our finalizer, also where somebody has taken it off; of what is going nothing can be held any more (I8). */
async function hold(driving: Driving, object: ExecutionHook): Promise<ExecutionHook> {
  if (finalizerStep(object, HOOK_FINALIZER) !== 'add') return object;
  const { room, client, pass } = driving;
  const { signal } = pass;
  const finalizer = HOOK_FINALIZER;
  const write = { client, resource: executionHooks, object, finalizer, signal };
  const held = await addFinalizer(write);
  room.own.remember(held);
  return held;
}

/** Nothing of ours is left to do for it. */
async function rest({ room, key, client, pass }: Driving, object: ExecutionHook): Promise<Outcome> {
  // A pass that had an older state of it may have left more, and been refused.
  room.wake(...room.holds.update(holderOf(key, object), targetsOf(object)));
  const { signal } = pass;
  const write = { client, resource: executionHooks, object, finalizer: HOOK_FINALIZER, signal };
  const left = await removeFinalizer(write);
  if (left !== null && left !== object) room.own.remember(left);
  room.drop(uidOf(object));
  return done;
}

async function begin(driving: Driving, hook: ExecutionHook): Promise<Outcome> {
  const { client, pass } = driving;
  const { resolveRecipe } = driving.room;
  const call = { signal: pass.signal };
  const readMs = driving.room.context.platform.clock.monotonicMs();
  const beginning = await beginHook(hook, { client, resolveRecipe, call });
  if (beginning.kind === 'refused') return refuse(driving, hook, beginning);
  if (beginning.kind === 'waits') return waitToBegin(driving, hook, beginning);
  driving.room.targetsWereRead(uidOf(hook), readMs);
  const stored = await hold(driving, hook);
  const { status } = beginning;
  const { resolved } = status;
  if (resolved === undefined) return done;
  return goOn(driving, { hook: { ...stored, status }, stored, resolved });
}

interface Going {
  /** With its beginning, which may not be stored yet. */
  readonly hook: ExecutionHook;
  readonly stored: ExecutionHook;
  readonly resolved: ResolvedActions;
}

async function goOn(driving: Driving, { hook, stored, resolved }: Going): Promise<Outcome> {
  const { room, key, pass, client } = driving;
  const { signal } = pass;
  const uid = uidOf(hook);
  const gathered = await gatherFacts(room, hook, { resolved, call: { signal } });
  // From here to the claim nothing is awaited: no other hook can get in between (I9).
  const decision = decide({ ...gathered, blocked: blockOf(driving, hook) }, resolved);
  const { status, orders, calledOff, asks, inMs } = decision;
  const holder = holderOf(key, hook);
  const after = targetsOf({ ...hook, status });
  // What it takes it holds from here on, and what it lets go until that is durable.
  room.wake(...room.holds.update(holder, [...targetsOf(stored), ...after]));
  for (const target of calledOff) callOff(room, uid, target);
  for (const order of orders) room.attempts.intend(attemptId(uid, order.target, order));
  const decidedMs = room.context.platform.clock.monotonicMs();
  const write = { client, resource: executionHooks, object: stored, status, signal };
  const written = await writeStatusIfChanged(write);
  room.own.remember(written);
  room.wake(...room.holds.update(holder, after));
  takeOver(room, hook, decision);
  tell(driving, hook, decision);
  if (decision.isSettled) return rest(driving, written);
  const { mayAct } = pass;
  if (mayAct()) {
    beginRound(asks, { room, key, hook, resolved, mayAct });
    beginOrders(orders, { room, key, hook, resolved, decidedMs, mayAct });
  }
  return inMs === null
    ? done
    : requeueAfter(Math.max(1, Math.ceil(inMs)), 'an attempt or an expiry');
}

function callOff(room: HookRoom, uid: string, target: ContainerStatus): void {
  const open = openAttempt(target);
  if (open !== null) room.attempts.callOff(attemptId(uid, target, open));
}

/** Asked before the first freeze; a hook that has begun goes on. */
function blockOf({ room, key }: Driving, hook: ExecutionHook): Blocked | null {
  const targets = targetsOf(hook);
  const isNew = hook.status?.release === undefined && !targets.some(isIssued);
  return isNew ? room.holds.blockOf(holderOf(key, hook), targets) : null;
}

/** Attempts whose outcome is durable now need not be remembered any more. */
function takeOver(room: HookRoom, hook: ExecutionHook, { status }: HookDecision): void {
  const after = targetsOf({ ...hook, status });
  for (const [index, target] of targetsOf(hook).entries()) {
    const open = openAttempt(target);
    const now = after[index];
    if (open === null || now === undefined || sameAttempt(open, openAttempt(now))) continue;
    room.attempts.settle(attemptId(uidOf(hook), target, open));
  }
}

function sameAttempt(a: AttemptNumber, b: AttemptNumber | null): boolean {
  return a.action === b?.action && a.attempt === b.attempt;
}

function tell({ room, key }: Driving, hook: ExecutionHook, { status }: HookDecision): void {
  const { recorder, observe, platform } = room.context;
  const { namespace = '' } = parseKey(key);
  const told = {
    namespace,
    hook: hook.metadata?.name ?? '',
    before: hook.status ?? {},
    after: status,
    nowMs: platform.clock.nowMs(),
  };
  const about = aboutObject(executionHooks, hook);
  for (const note of notesOf(told)) recorder.record({ about, ...note });
  for (const event of eventsOf(told)) observe(event);
}
