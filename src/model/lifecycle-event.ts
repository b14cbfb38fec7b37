import type { Outcome } from './attempt.ts';

export type Lifecycle = 'container' | 'pod' | 'rollout' | 'snapshot' | 'pipeline';

/**
 * What every event of every lifecycle has. Subscribers read the rest, `detail`, only for what one lifecycle alone can
 * say. An event may be lost with its process: nothing is decided from it (docs/decisions/one-spine.md).
 */
export interface EventEnvelope {
  readonly lifecycle: Lifecycle;
  /** What the hooks act for, by the names that users know: `{ namespace: 'shop', deployment: 'web' }`. */
  readonly target: Readonly<Record<string, string>>;
  /** The hook point: "preAction", "preStop", "pre", "pre-build", "createRuntime"; null: the run as a whole. */
  readonly point: string | null;
  /** Equal for all events of one run. */
  readonly run: string;
  /** From 1; null: the event is of no attempt, or of one without a number. */
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
