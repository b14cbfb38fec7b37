/**
 * Makes each of several hooks run its probe before the first one is released: their targets may share a freeze, which
 * the first thaw would end. Pure.
 */
import { restUntilExpiryMs } from '../hook/decide-release.ts';
import { frozenSinceMs, targetsOf } from '../hook/targets.ts';
import type { ExecutionHook } from '../kinds.ts';
import { CUT_SEEN } from '../names.ts';
import type { HookFacts } from './facts.ts';

/**
 * Milliseconds that the release waits for the answers: a hook has an answer of each target within five seconds, and
 * needs a moment to record them.
 */
export const ANSWERS_PATIENCE_MS = 6_000;

/**
 * Milliseconds before the expiry of a hook at which the release stops waiting for answers. Otherwise the hook may thaw
 * by itself first, and a snapshot whose cut was seen in time would fail with ThawedBeforeCut.
 */
export const RELEASE_BEFORE_EXPIRY_MS = 1_000;

export type AskStep =
  | { readonly kind: 'askHooks'; readonly hooks: readonly ExecutionHook[] }
  | { readonly kind: 'waitFor'; readonly ms: number; readonly reason: string };

/** null: there is nothing left to ask or to wait for. A single hook runs its probe by itself before its thaw. */
export function askStep(hooks: readonly HookFacts[], nowMs: number): AskStep | null {
  if (hooks.length < 2) return null;
  const open = hooks.flatMap(({ hook }) => (hook !== null && isUnanswered(hook) ? [hook] : []));
  const unasked = open.filter(({ metadata }) => metadata?.annotations?.[CUT_SEEN] === undefined);
  if (unasked.length > 0) return { kind: 'askHooks', hooks: unasked };
  const waits = open.map((hook) => restMs(hook, nowMs));
  const expiries = hooks.flatMap(({ hook }) => (hook === null ? [] : untilReleaseMs(hook, nowMs)));
  const ms = Math.max(0, Math.min(Math.max(0, ...waits), ...expiries));
  return ms === 0
    ? null
    : { kind: 'waitFor', ms, reason: `${open.length} hooks ask their probes before the thaw` };
}

function isUnanswered({ status = {} }: ExecutionHook): boolean {
  if (status.resolved?.probe === undefined) return false;
  const targets = status.containerExecutionHookStatuses ?? [];
  return targets.some(({ probes = [] }) => !probes.some(({ when }) => when === 'AfterCut'));
}

/** Milliseconds left of the wait; 0 if the wall clock is before CUT_SEEN: it was set back, and cannot be used. */
function restMs({ metadata }: ExecutionHook, nowMs: number): number {
  const sinceMs = nowMs - Date.parse(metadata?.annotations?.[CUT_SEEN] ?? '');
  return sinceMs >= 0 && sinceMs < ANSWERS_PATIENCE_MS ? ANSWERS_PATIENCE_MS - sinceMs : 0;
}

/** Milliseconds until the release must stop waiting; empty: the hook never expires, or is thawing already. */
function untilReleaseMs(hook: ExecutionHook, nowMs: number): number[] {
  const { resolved, release } = hook.status ?? {};
  const sinceMs = frozenSinceMs(targetsOf(hook));
  if (resolved === undefined || release !== undefined || sinceMs === null) return [];
  const expiryMs = restUntilExpiryMs(nowMs - sinceMs, resolved);
  return expiryMs === null ? [] : [expiryMs - RELEASE_BEFORE_EXPIRY_MS];
}
