import type { RunRecord, Outcome } from './attempt.ts';

/**
 * The event stream for terminal, log, metrics and timeline: every record, once it is durable, and the live output of
 * the attempts between them. Live output is not recorded; only its tail is, in the result of the attempt.
 */
export type RunEvent = RunRecord | OutputEvent;

export interface OutputEvent {
  readonly type: 'Output';
  readonly runId: string;
  readonly atMs: number;
  readonly step: string;
  readonly attempt: number;
  readonly stream: 'stdout' | 'stderr';
  /** The output, with secrets masked. */
  readonly text: string;
}

export type Lifecycle = 'container' | 'pod' | 'rollout' | 'snapshot' | 'pipeline';

/**
 * The common fields of every event of every lifecycle. Fields that only one lifecycle has are in `detail`. An event may
 * be lost with its process: no decision depends on it (docs/decisions/one-spine.md).
 */
export interface EventEnvelope {
  readonly lifecycle: Lifecycle;
  /** The target of the hooks, by the names that users know: `{ namespace: 'shop', deployment: 'web' }`. */
  readonly target: Readonly<Record<string, string>>;
  /** The hook point: "preAction", "preStop", "pre", "pre-build", "createRuntime"; null: the run as a whole. */
  readonly point: string | null;
  /** Equal for all events of one run. */
  readonly run: string;
  /** Number of the attempt, from 1; null: the event belongs to no attempt, or to one without a number. */
  readonly attempt: number | null;
  /** Wall clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** The end of an attempt; only in the event that ends it. */
  readonly end?: AttemptEnd;
  /** The fact that is also sent out of the cluster (docs/notifications.md); absent: the event is not sent. */
  readonly notification?: Notification;
}

export type NotificationType =
  | 'run.failed'
  | 'run.recovered'
  | 'thaw.overdue'
  | 'thaw.unproven'
  | 'thaw.done'
  | 'verdict.missed'
  | 'verdict.reached'
  | 'schedule.overdue'
  | 'schedule.recovered'
  | 'rehearsal.failed'
  | 'rehearsal.passed'
  | 'rollout.held'
  | 'rollout.resumed';

/** A fact that is sent to users, so that they learn of it without looking at the cluster. */
export interface Notification {
  /**
   * The same id whenever the same fact is reported, also by another process after a restart. null: the fact only clears
   * a problem, and the fact that opened the problem identifies it.
   */
  readonly id: string | null;
  readonly type: NotificationType;
  /** The problem that the fact opens or clears; several facts may be about one problem. */
  readonly problem: string;
  readonly state: 'open' | 'clear';
  readonly message: string;
}

interface AttemptEnd {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

export interface LifecycleEvent<L extends Lifecycle, Detail> extends EventEnvelope {
  readonly lifecycle: L;
  readonly detail: Detail;
}
