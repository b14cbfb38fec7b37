/**
 * What the timeline is made of: one bar for each attempt of a hook, each freeze, each cut and each phase. The sources
 * make them, the server keeps and sends them, the page draws them. A bar with an id that is known replaces the old one.
 */
import type { Lifecycle } from '../model/lifecycle-event.ts';

export type { Lifecycle };

/** In the order of the lanes on the page. */
export const LIFECYCLES: readonly Lifecycle[] = [
  'pipeline',
  'rollout',
  'snapshot',
  'pod',
  'container',
];

export const BAR_OUTCOMES = [
  'Running',
  'Succeeded',
  'Failed',
  'Unknown',
  'Skipped',
  'Cancelled',
] as const;
export type BarOutcome = (typeof BAR_OUTCOMES)[number];

export const WORST_FIRST: readonly BarOutcome[] = [
  'Failed',
  'Unknown',
  'Running',
  'Cancelled',
  'Succeeded',
  'Skipped',
];

export function isBad({ outcome }: Pick<Bar, 'outcome'>): boolean {
  return outcome === 'Failed' || outcome === 'Unknown';
}

/**
 * hook: one attempt. frozen: the target stands still, from the start of its freeze until its thaw is proven. phase: a
 * stretch of a run, behind its hooks. cut: the moment that a snapshot shows, a mark with no width.
 */
export type BarKind = 'hook' | 'frozen' | 'phase' | 'cut';

export interface Bar {
  /** The same after a restart of whoever serves it: the permalink. At most 300 characters. */
  readonly id: string;
  readonly lifecycle: Lifecycle;
  /** The target: "shop/web", "shop/db-0/postgres", "build/leeroy-web". */
  readonly lane: string;
  readonly kind: BarKind;
  /** What belongs together: a snapshot's name, the counter of a rollout, a session, a container. */
  readonly run: string;
  /** Where in the lifecycle: "preAction", "preStop", "pre", "build before", "createRuntime". */
  readonly point: string;
  readonly name: string;
  /** From 1; null: what has none. */
  readonly attempt: number | null;
  /** Wall clock, milliseconds since 1970. */
  readonly startMs: number;
  /** null: still open. A cut has its start. */
  readonly endMs: number | null;
  readonly outcome: BarOutcome;
  /** One sentence, for people. */
  readonly reason?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** "skaffold.yaml:12:9", or an object: "ExecutionHook shop/postgres". */
  readonly where?: string;
  /** The last of the output, masked as it was recorded. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** What the outcome rests on: verdict, probes, thawed by. */
  readonly evidence?: Readonly<Record<string, string>>;
  /** What to do now. */
  readonly next?: string;
}

/**
 * The answer of `GET /api/bars`, and what an export holds: in the export as `<script type="application/json"
 * id="timeline">`, with `exportedAt`.
 */
export interface BarPage {
  readonly bars: readonly Bar[];
  /** Of the last change that is in it: `Last-Event-ID` for `GET /api/events`, `after` for the next page. */
  readonly seq: number;
  /** `limit` was reached: the next page is `after` this `seq`. */
  readonly truncated: boolean;
  /** So many of the oldest were let go, since no more are kept; absent: none. */
  readonly forgotten?: number;
  /** The server's clock, milliseconds since 1970. */
  readonly now: number;
  /** Which sources are read, and what is wrong with one. */
  readonly sources: readonly SourceState[];
  /** Only in an export. */
  readonly exportedAt?: string;
}

/** What fills the timeline: a project, a cluster, a folder of records. */
export interface SourceState {
  readonly name: string;
  /** null: it is read, and all is well. */
  readonly problem: string | null;
}
