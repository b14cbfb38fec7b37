/** Summarizes spans as runs: one snapshot, one rollout, one session, one container. Pure. */
import { type Bar, type BarOutcome, type Lifecycle, WORST_FIRST } from './bar.ts';

export interface RunSummary {
  readonly lifecycle: Lifecycle;
  readonly run: string;
  /** Tracks of the run, in the order of their first span. */
  readonly lanes: readonly string[];
  readonly attempts: number;
  /**
   * For an ended rollout or snapshot: its own outcome. For any other run: the worst outcome of its spans, or Running
   * while a span is open and none is worse.
   */
  readonly outcome: BarOutcome;
  /** Reason of the first span with that outcome. */
  readonly reason?: string;
  /** Verdict of a snapshot, as in its status: "Inconsistent: NotAtomic". */
  readonly verdict?: string;
  readonly startMs: number;
  /** Milliseconds since 1970; null: a span is open. */
  readonly endMs: number | null;
  /** Milliseconds of the longest freeze window. null: nothing was frozen. */
  readonly frozenMs: number | null;
  /** All spans of the run, in the order of their start. */
  readonly bars: readonly Bar[];
}

/** The runs, newest first. `nowMs` is the assumed end of open spans. */
export function summarizeRuns(bars: Iterable<Bar>, nowMs: number): RunSummary[] {
  const groups = new Map<string, Bar[]>();
  for (const bar of bars) {
    const key = runKeyOf(bar);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bar]);
    else group.push(bar);
  }
  return [...groups.values()]
    .map((group) => group.toSorted((a, b) => a.startMs - b.startMs))
    .flatMap((group) => (group[0]?.lifecycle === 'container' ? livesOf(group) : [group]))
    .map((group) => summarize(group, nowMs))
    .toSorted((a, b) => b.startMs - a.startMs);
}

/** Summarizes one run; `bars` are its spans in the order of their start. */
function summarize(bars: readonly Bar[], nowMs: number): RunSummary {
  const worth = (bar: Bar): number => WORST_FIRST.indexOf(bar.outcome);
  const worst = judgesOf(bars).reduce((found, bar) => (worth(bar) < worth(found) ? bar : found));
  const frozen = bars.filter(({ kind }) => kind === 'frozen');
  const lasted = frozen.map(({ startMs, endMs }) => (endMs ?? nowMs) - startMs);
  const isOpen = bars.some(({ endMs }) => endMs === null);
  return {
    lifecycle: worst.lifecycle,
    run: worst.run,
    lanes: [...new Set(bars.map(({ lane }) => lane))],
    attempts: bars.filter(({ kind }) => kind === 'hook').length,
    outcome: worst.outcome,
    ...(worst.reason === undefined ? {} : { reason: worst.reason }),
    ...verdictOf(bars),
    startMs: bars[0]?.startMs ?? 0,
    endMs: isOpen ? null : bars.reduce((last, { endMs }) => Math.max(last, endMs ?? 0), 0),
    frozenMs: lasted.length === 0 ? null : lasted.reduce((one, other) => Math.max(one, other)),
    bars,
  };
}

function verdictOf(bars: readonly Bar[]): Pick<RunSummary, 'verdict'> {
  const [verdict] = bars.flatMap(({ kind, evidence }) =>
    kind === 'phase' ? (evidence?.['verdict'] ?? []) : [],
  );
  return verdict === undefined ? {} : { verdict };
}

/**
 * The spans that determine the outcome. A rollout or a snapshot has an outcome of its own, even if one of its hooks was
 * retried, or failed without an effect on the run.
 */
function judgesOf(bars: readonly Bar[]): readonly Bar[] {
  const whole = bars.filter((bar) => isWholeRun(bar) && bar.endMs !== null);
  return whole.length === 0 ? bars : whole;
}

/**
 * Splits the spans of one container name into one list for each container that had the name. A new container begins
 * where a hook runs again without being a retry, or where an earlier stage follows a later one. Pure. `bars` are all
 * spans of the name, in the order of their start. No list is empty.
 */
function livesOf(bars: readonly Bar[]): Bar[][] {
  const lives: Bar[][] = [];
  let ran = new Set<string>();
  let reached = 0;
  for (const bar of bars) {
    const place = placeOf(bar);
    const hook = JSON.stringify([bar.point, bar.evidence?.['hook'], bar.attempt]);
    const life = lives.at(-1);
    if (life === undefined || place < reached || ran.has(hook)) {
      lives.push([bar]);
      ran = new Set();
    } else {
      life.push(bar);
    }
    ran.add(hook);
    reached = place;
  }
  return lives;
}

/** The stages of a container, in the order of the OCI runtime specification. */
const STAGES: readonly string[] = [
  'prestart',
  'createRuntime',
  'createContainer',
  'startContainer',
  'poststart',
  'poststop',
];

/**
 * The place of a stage in the order. Other points share the place of poststop, since the end of a process and the end
 * of its container may be recorded in either order.
 */
function placeOf({ point }: Bar): number {
  if (point === 'precreate') return -1;
  const place = STAGES.indexOf(point);
  return place === -1 ? STAGES.length - 1 : place;
}

/**
 * The same key for all spans of one run, and for all containers that had the same name. Each Deployment counts its
 * rollouts separately, and each namespace has its own names of snapshots and pods.
 */
export function runKeyOf({ lifecycle, run, lane }: Bar): string {
  switch (lifecycle) {
    case 'rollout':
      return JSON.stringify([lifecycle, run, lane]);
    case 'snapshot':
    case 'pod':
      return JSON.stringify([lifecycle, run, lane.slice(0, lane.indexOf('/'))]);
    case 'pipeline':
    case 'container':
      return JSON.stringify([lifecycle, run]);
    default:
      return lifecycle satisfies never;
  }
}

/** Whether this is the span of a whole rollout or snapshot. */
export function isWholeRun({ lifecycle, kind, name, run }: Bar): boolean {
  return (lifecycle === 'rollout' || lifecycle === 'snapshot') && kind === 'phase' && name === run;
}
