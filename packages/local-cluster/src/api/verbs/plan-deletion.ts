/**
 * Plans the delete of an object. Pure.
 *
 * The object is removed now, or marked and kept for its finalizers or its grace period. A terminating object is left as
 * it is if the delete changes nothing.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { listAt, numberAt, textAt, textsAt } from '../../../../../src/kube/fields.ts';
import type { GracefulDeletion } from '../../objects/resource-definition.ts';
import { timestamp } from '../context.ts';
import type { PropagationPolicy } from '../delete-options.ts';
import { withMeta } from '../object-meta.ts';

export interface DeletionRequest {
  readonly object: JsonObject;
  readonly graceful: GracefulDeletion | undefined;
  readonly graceSeconds: number | undefined;
  readonly policy: PropagationPolicy | undefined;
  readonly orphansByDefault: boolean;
  /** True if something besides finalizers keeps the object. */
  readonly held: boolean;
  readonly nowMs: number;
}

export type DeletionPlan =
  /** `marked`: last version of the object, which watchers see before it is removed; null: the stored version. */
  | { readonly kind: 'remove'; readonly marked: JsonObject | null }
  | { readonly kind: 'keep'; readonly object: JsonObject }
  | { readonly kind: 'pending' };

export function planDeletion(request: DeletionRequest): DeletionPlan {
  const grace = graceOf(request);
  if (grace.kind === 'pending') return { kind: 'pending' };
  const finalizers = finalizersOf(request);
  const before = textsAt(request.object, 'metadata', 'finalizers');
  const sameFinalizers =
    before.length === finalizers.length && finalizers.every((name) => before.includes(name));
  const object = sameFinalizers
    ? grace.object
    : withMeta(grace.object, { finalizers: finalizers.length === 0 ? undefined : finalizers });
  const held = finalizers.length > 0 || request.held;
  if (held) return { kind: 'keep', object: grace.marked ? object : markNow(object, request.nowMs) };
  if (grace.seconds > 0) return { kind: 'keep', object };
  return { kind: 'remove', marked: object === request.object ? null : object };
}

type Grace =
  | { readonly kind: 'pending' }
  /** `marked`: true if `object` has its deletionTimestamp. */
  | {
      readonly kind: 'due';
      readonly object: JsonObject;
      readonly marked: boolean;
      readonly seconds: number;
    };

function graceOf(request: DeletionRequest): Grace {
  const { object, graceful, graceSeconds, nowMs } = request;
  const deletedAt = textAt(object, 'metadata', 'deletionTimestamp');
  if (deletedAt !== '') return shorter(request, deletedAt);
  if (graceful === undefined) return { kind: 'due', object, marked: false, seconds: 0 };
  const seconds = firstGrace(graceful, object, graceSeconds);
  const marked = withMeta(object, {
    deletionTimestamp: timestamp(nowMs + seconds * 1_000),
    deletionGracePeriodSeconds: seconds,
    generation: nextGeneration(object),
  });
  return { kind: 'due', object: marked, marked: true, seconds };
}

function firstGrace(
  graceful: GracefulDeletion,
  object: JsonObject,
  asked: number | undefined,
): number {
  if (graceful.immediate(object)) return 0;
  return notNegative(asked ?? graceful.defaultSeconds(object));
}

/** As on a real server, a negative grace period is one second. */
function notNegative(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/** The shorter of two grace periods: a second delete can shorten the first one's, but never extend it. */
function shorter({ object, graceSeconds }: DeletionRequest, deletedAt: string): Grace {
  const left = numberAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0;
  if (left === 0) return { kind: 'due', object, marked: true, seconds: 0 };
  const seconds = notNegative(graceSeconds ?? left);
  if (seconds >= left) return { kind: 'pending' };
  const marked = withMeta(object, {
    deletionTimestamp: timestamp(Date.parse(deletedAt) + (seconds - left) * 1_000),
    deletionGracePeriodSeconds: seconds,
  });
  return { kind: 'due', object: marked, marked: true, seconds };
}

function markNow(object: JsonObject, nowMs: number): JsonObject {
  return withMeta(object, {
    deletionTimestamp: timestamp(nowMs),
    deletionGracePeriodSeconds: 0,
    generation: nextGeneration(object),
  });
}

function nextGeneration(object: JsonObject): number | undefined {
  const generation = numberAt(object, 'metadata', 'generation') ?? 0;
  return generation > 0 ? generation + 1 : undefined;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Finalizers of the deleted object: its own, then the one of the propagation policy. */
function finalizersOf({ object, policy, orphansByDefault }: DeletionRequest): string[] {
  const before = listAt(object, 'metadata', 'finalizers').filter(
    (name) => typeof name === 'string',
  );
  const others = before.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const decided = policy ?? inherited(before, orphansByDefault);
  if (decided === 'Orphan') return [...others, ORPHAN];
  return decided === 'Foreground' ? [...others, FOREGROUND] : others;
}

function inherited(before: readonly string[], orphansByDefault: boolean): PropagationPolicy {
  if (before.includes(ORPHAN)) return 'Orphan';
  if (before.includes(FOREGROUND)) return 'Foreground';
  return orphansByDefault ? 'Orphan' : 'Background';
}
