/**
 * The spans of the timeline: one for each attempt of a hook, each freeze, each cut and each phase. The sources create
 * them, the server stores and sends them, the page draws them as bars. A span replaces an older one with the same id.
 */
import type { Lifecycle } from '../model/event.ts';

export type { Lifecycle };

/** All lifecycles, in the order of their tracks on the page. */
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
 * hook: one attempt. frozen: the freeze window of a target, from the start of its freeze until its thaw is proven.
 * phase: a part of a run, drawn behind the hooks of that run. cut: the moment of a snapshot cut, a mark without width.
 */
export type BarKind = 'hook' | 'frozen' | 'phase' | 'cut';

export interface Bar {
  /**
   * Id of the span, which is also its permalink: it does not change when the server restarts. At most 500 characters.
   */
  readonly id: string;
  readonly lifecycle: Lifecycle;
  /** The track of the target: "shop/web", "shop/db-0/postgres", "build/leeroy-web". */
  readonly lane: string;
  readonly kind: BarKind;
  /** The run to which the span belongs: a snapshot's name, a rollout number, a session, a container. */
  readonly run: string;
  /** The hook point: "preAction", "preStop", "pre", "build before", "createRuntime". */
  readonly point: string;
  readonly name: string;
  /** Number of the attempt, from 1; null: the span is not an attempt. */
  readonly attempt: number | null;
  /** Wall clock, milliseconds since 1970. */
  readonly startMs: number;
  /** Milliseconds since 1970; null: the span is still open. A cut ends at its start. */
  readonly endMs: number | null;
  readonly outcome: BarOutcome;
  /** One sentence for users. */
  readonly reason?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The definition of the hook, such as "skaffold.yaml:12:9", or an object, such as "ExecutionHook shop/postgres". */
  readonly where?: string;
  /** The end of the output, with the same secrets masked as in the record. */
  readonly stdout?: string;
  readonly stderr?: string;
  /** The evidence of the outcome: verdict, probes, cause of the thaw. */
  readonly evidence?: Readonly<Record<string, string>>;
  /** The next step for the user. */
  readonly next?: string;
}

/**
 * The answer of `GET /api/bars`, and the content of an export. In an export it is in `<script type="application/json"
 * id="timeline">`, with `exportedAt`.
 */
export interface BarPage {
  readonly bars: readonly Bar[];
  /** Number of the last change on this page: `Last-Event-ID` for `GET /api/events`, `after` for the next page. */
  readonly seq: number;
  /** True: `limit` was reached. The next page is the one with `after` set to this `seq`. */
  readonly truncated: boolean;
  /** Number of spans that were dropped as the oldest ones because of the limit; absent: none. */
  readonly forgotten?: number;
  /** The server's clock, milliseconds since 1970. */
  readonly now: number;
  readonly sources: readonly SourceState[];
  /** Time of the export, in RFC 3339; absent: this is not an export. */
  readonly exportedAt?: string;
}

/** A source of spans: a project, a cluster, a directory of records. */
export interface SourceState {
  readonly name: string;
  /** Why the source cannot be read; null: it can be read. */
  readonly problem: string | null;
}
