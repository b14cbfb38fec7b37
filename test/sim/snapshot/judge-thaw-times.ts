/** SNAP-I5, SNAP-I15: judges when thaws were sent, if nothing delays a controller. */
import { type HookView, tagOf, targetsIn } from './hook-views.ts';
import { type Court, isSlow } from './judge.ts';

/** Milliseconds that reconciles, requests and timers may take. */
const QUANTUM_MS = 1_500;
const REFUSED_MS = 5_000;
/** Milliseconds by which a thaw may be later if the server refuses or loses requests meanwhile. */
const LOST_MS = 5_000;
/** Milliseconds until a Lease has expired and another process leads. */
const TERM_MS = 25_000;
/** Milliseconds that a thaw waits for the one before it. */
const PATIENCE_MS = 2_000;
/** Milliseconds that the probe before a thaw may take. */
const PROBE_MS = 3_000;

export function judgeThawTimes(court: Court): void {
  if (isSlow(court) || court.troubles.has('targets')) return;
  for (const view of court.views.all.values()) {
    const tag = tagOf(view.hook);
    const plan = tag === '' ? undefined : court.planOf(tag);
    if (plan === undefined || plan.held || !plan.thaws) continue;
    judgeExpiry(court, view, plan.actions.expirationSeconds);
    judgeRelease(court, view);
  }
}

function judgeExpiry(court: Court, view: HookView, seconds: number | undefined): void {
  if (seconds === undefined) return;
  const frozenMs = firstOf(court, view, { verb: 'freeze' });
  const thawedMs = firstOf(court, view, { verb: 'thaw' });
  if (frozenMs === undefined || thawedMs === undefined) return;
  const patienceMs = patienceOf(court, frozenMs, thawedMs);
  if (thawedMs - frozenMs <= seconds * 1_000 + patienceMs) return;
  const why = `was thawed ${thawedMs - frozenMs} ms after its first freeze, and expires after ${seconds} s`;
  court.world.violate('SNAP-I5', `hook ${view.name} ${why}`);
}

/**
 * Tolerance in milliseconds. A reconcile is retried within the longest backoff if the server refuses its record of a
 * freeze.
 */
function patienceOf({ troubles, disturbances }: Court, fromMs: number, toMs: number): number {
  const refusedMs = troubles.has('refusals') ? REFUSED_MS : 0;
  const lastMs = disturbances.lastTermMs(fromMs, toMs);
  const termMs = lastMs === null ? 0 : Math.max(0, lastMs - fromMs) + TERM_MS;
  return QUANTUM_MS + refusedMs + termMs + (disturbances.isAny(fromMs, toMs) ? LOST_MS : 0);
}

/** SNAP-I15: a thaw is sent in time after its request, even if other thaws fail. */
function judgeRelease(court: Court, view: HookView): void {
  const { hook, name, calledMs } = view;
  const releasedMs = earlier(calledMs, view.releasedMs);
  if (releasedMs === null || hook.status?.preActionSucceed !== true) return;
  // A watch delivers the request for the thaw. A silent, broken or refused watch hides it.
  if (court.troubles.has('silentWatches')) return;
  const targets = targetsIn(hook);
  const othersMs = PROBE_MS + PATIENCE_MS * (targets.length - 1);
  for (const { podName, containerName } of targets) {
    const sentMs = firstOf(court, view, { verb: 'thaw', pod: podName, container: containerName });
    if (sentMs === undefined || court.disturbances.mayBlind(releasedMs, sentMs)) continue;
    if (sentMs - releasedMs <= patienceOf(court, releasedMs, sentMs) + othersMs) continue;
    const lateMs = sentMs - releasedMs;
    court.world.violate(
      'SNAP-I15',
      `the thaw of ${name} in ${containerName} happened ${lateMs} ms late`,
    );
  }
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function firstOf(
  { account }: Court,
  { hook }: HookView,
  wanted: { readonly verb: string; readonly pod?: string; readonly container?: string },
): number | undefined {
  const tag = tagOf(hook);
  return account.commands.find(
    (each) =>
      each.tag === tag &&
      each.verb === wanted.verb &&
      each.pod === (wanted.pod ?? each.pod) &&
      each.container === (wanted.container ?? each.container),
  )?.atMs;
}
