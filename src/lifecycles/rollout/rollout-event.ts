import type { HookAttempt, HookRunPhase, Phase, Stage } from './kinds.ts';

/** What happens in this lifecycle, as metrics, logs and traces are told it. Durations in milliseconds. */
export type RolloutEvent = {
  readonly namespace: string;
  readonly deployment: string;
} & (
  | { readonly type: 'RolloutOpened'; readonly number: number }
  | {
      readonly type: 'PhaseEntered';
      readonly number: number;
      readonly phase: Phase;
      /** Of the phase before; absent for the first. */
      readonly afterMs?: number;
    }
  | {
      readonly type: 'AttemptStarted';
      readonly number: number;
      readonly stage: Stage;
      readonly attempt: number;
    }
  | {
      readonly type: 'AttemptEnded';
      readonly number: number;
      readonly stage: Stage;
      readonly attempt: number;
      readonly outcome: NonNullable<HookAttempt['outcome']>;
      readonly durationMs: number;
    }
  | {
      readonly type: 'HookEnded';
      readonly number: number;
      readonly stage: Stage;
      readonly phase: HookRunPhase;
    }
  | { readonly type: 'GateProven'; readonly armed: boolean; readonly reason: string }
  | { readonly type: 'GateBypassed'; readonly number: number; readonly message: string }
);
