import type { Hook } from '../model/hook.ts';

/**
 * What one run is to do: hooks in order. Freeze/thaw pairs, rollout stages, OCI stages and pipeline
 * phases are all plans of the same steps.
 */
export interface Plan {
  readonly runId: string;
  /** What the run is about, for people: "container web / createRuntime". */
  readonly title: string;
  readonly steps: readonly Step[];
  /** The lifecycle's own deadline, wall-clock milliseconds; null: none. */
  readonly deadlineAtMs: number | null;
}

/**
 * main: runs in order while nothing has gone wrong.
 * cleanup: runs after the main steps have ended, in order, also after a failure, a deadline or a
 * cancellation, which cannot reach it; with `undoes`, only if that main step was ever started.
 */
export type Step =
  | { readonly kind: 'main'; readonly name: string; readonly hook: Hook }
  | {
      readonly kind: 'cleanup';
      readonly name: string;
      readonly hook: Hook;
      readonly undoes?: string;
    };
