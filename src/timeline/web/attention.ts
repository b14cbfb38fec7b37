/**
 * Finds what a user has to act on: frozen targets, overdue thaws, held rollouts, and runs that failed in the last hour.
 * Pure.
 */
import { type Bar, isBad } from '../bar.ts';
import { isWholeRun, runKeyOf } from '../run-summary.ts';

/** Kinds of reasons for attention, in the order of urgency. */
export const ATTENTION_KINDS = ['overdue', 'frozen', 'held', 'failed', 'settled'] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** A reason for attention. settled: the step failed in the last hour, but succeeded afterwards. */
export interface Attention {
  readonly kind: AttentionKind;
  readonly bar: Bar;
}

export const RECENT_MS = 3_600_000;

/** Reasons for attention, the most urgent first. */
export function attentionOf(bars: readonly Bar[], nowMs: number): readonly Attention[] {
  const held = heldRollouts(bars);
  const heldRuns = new Set(held.map(({ bar }) => runKeyOf(bar)));
  const failed = recentFailures(bars, nowMs).filter(({ bar }) => !heldRuns.has(runKeyOf(bar)));
  return [...openFreezes(bars), ...held, ...failed].toSorted(
    (one, other) =>
      ATTENTION_KINDS.indexOf(one.kind) - ATTENTION_KINDS.indexOf(other.kind) ||
      inTime(one, other) ||
      (one.bar.id < other.bar.id ? -1 : 1),
  );
}

/** Orders by time: the longest freeze and the latest failure first. */
function inTime({ kind, bar }: Attention, { bar: other }: Attention): number {
  const isOldestFirst = kind === 'overdue' || kind === 'frozen';
  return isOldestFirst ? bar.startMs - other.startMs : other.startMs - bar.startMs;
}

function openFreezes(bars: readonly Bar[]): Attention[] {
  return bars
    .filter(({ kind, endMs }) => kind === 'frozen' && endMs === null)
    .map((bar) => ({ kind: bar.evidence?.['thaw'] === undefined ? 'frozen' : 'overdue', bar }));
}

/**
 * Finds held rollouts. Only the newest rollout of a Deployment counts, since an older one is replaced and no longer
 * held.
 */
function heldRollouts(bars: readonly Bar[]): Attention[] {
  const newest = new Map<string, Bar>();
  for (const bar of bars) {
    if (bar.lifecycle !== 'rollout' || !isWholeRun(bar)) continue;
    const known = newest.get(bar.lane);
    if (known === undefined || known.startMs < bar.startMs) newest.set(bar.lane, bar);
  }
  return [...newest.values()]
    .filter(({ evidence }) => evidence?.['phase'] === 'Held')
    .map((bar) => ({ kind: 'held', bar }));
}

function recentFailures(bars: readonly Bar[], nowMs: number): Attention[] {
  const recent = bars.filter((bar) => isBad(bar) && (bar.endMs ?? 0) > nowMs - RECENT_MS);
  if (recent.length === 0) return [];
  const runs = new Map<string, Bar[]>(recent.map((bar) => [runKeyOf(bar), []]));
  const lastSuccess = new Map<string, number>();
  for (const bar of bars) {
    runs.get(runKeyOf(bar))?.push(bar);
    if (bar.outcome !== 'Succeeded') continue;
    lastSuccess.set(stepOf(bar), Math.max(lastSuccess.get(stepOf(bar)) ?? 0, bar.startMs));
  }
  return [...runs.values()].flatMap((run) => {
    const cause = causeOf(run);
    if (cause === null || (cause.endMs ?? 0) <= nowMs - RECENT_MS) return [];
    const isSettled = (lastSuccess.get(stepOf(cause)) ?? 0) >= (cause.endMs ?? nowMs);
    return [{ kind: isSettled ? 'settled' : 'failed', bar: cause } as const];
  });
}

/**
 * The span that made a run fail; null: the run did not fail. For an ended rollout or snapshot it is the span of the
 * whole run. For any other run it is the first step whose last attempt is bad. A hook takes precedence over the phase
 * that failed because of it.
 */
function causeOf(run: readonly Bar[]): Bar | null {
  const whole = run.find((bar) => isWholeRun(bar) && bar.endMs !== null);
  if (whole !== undefined) return isBad(whole) ? whole : null;
  const last = new Map<string, Bar>();
  for (const bar of run.toSorted((one, other) => one.startMs - other.startMs)) {
    last.set(stepOf(bar), bar);
  }
  const bad = [...last.values()].filter(isBad);
  return bad.find(({ kind }) => kind === 'hook') ?? bad[0] ?? null;
}

/** The same key for one step in every attempt, and in every run on the same track. */
export function stepOf(bar: Bar): string {
  const { lane, kind, point, name } = bar;
  return isWholeRun(bar) ? `${lane} ${kind}` : `${lane} ${kind} ${point} ${name}`;
}
