import type { Outcome } from './attempt.ts';

export type Lifecycle = 'container' | 'pod' | 'rollout' | 'snapshot' | 'pipeline';

/**
 * The common fields of every event of every lifecycle. The remaining fields are in `detail`, for data of a
 * single lifecycle. An event may be lost with its process: no decision depends on it (docs/decisions/one-spine.md).
 */
export interface EventEnvelope {
  readonly lifecycle: Lifecycle;
  /** The target of the hooks, by the names that users know: `{ namespace: 'shop', deployment: 'web' }`. */
  readonly target: Readonly<Record<string, string>>;
  /** The hook point: "preAction", "preStop", "pre", "pre-build", "createRuntime"; null: the run as a whole. */
  readonly point: string | null;
  /** Equal for all events of one run. */
  readonly run: string;
  /** From 1; null: the event belongs to no attempt, or to one without a number. */
  readonly attempt: number | null;
  /** Wall clock, milliseconds since the epoch. */
  readonly atMs: number;
  /** Only in the event that ends an attempt. */
  readonly end?: AttemptEnd;
}

export interface AttemptEnd {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

export interface LifecycleEvent<L extends Lifecycle, Detail> extends EventEnvelope {
  readonly lifecycle: L;
  readonly detail: Detail;
}
