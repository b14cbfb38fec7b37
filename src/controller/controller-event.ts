import type { Outcome } from './reconcile.ts';

/** What controllers tell of themselves: the source of logs and metrics. */
export type ControllerEvent =
  | { readonly type: 'PassStarted'; readonly controller: string; readonly key: string }
  | {
      readonly type: 'PassEnded';
      readonly controller: string;
      readonly key: string;
      readonly outcome: Outcome;
      readonly durationMs: number;
      /** When the key comes again by itself; null: when something changes. */
      readonly againInMs: number | null;
      /** Keys that wait for a worker. */
      readonly depth: number;
    }
  /** The pass was told to end at its deadline. Its key stays with it for as long as it does not. */
  | {
      readonly type: 'PassOverdue';
      readonly controller: string;
      readonly key: string;
      readonly timeoutMs: number;
    }
  | { readonly type: 'CacheSynced'; readonly resource: string; readonly objects: number }
  | {
      readonly type: 'WatchInterrupted';
      readonly resource: string;
      readonly reason: string;
      readonly retryInMs: number;
    }
  /** The kind is not defined: what needs it waits. */
  | { readonly type: 'KindNotServed'; readonly resource: string }
  | { readonly type: 'KindServed'; readonly resource: string; readonly version: string }
  | { readonly type: 'LeadershipGained'; readonly lease: string; readonly transitions: number }
  | { readonly type: 'LeadershipLost'; readonly lease: string; readonly reason: string }
  | { readonly type: 'LeaderSeen'; readonly lease: string; readonly holder: string }
  | { readonly type: 'LeaseTroubled'; readonly lease: string; readonly reason: string }
  | { readonly type: 'EventDropped'; readonly reason: string };

/** May throw: it then misses that event and no more. */
export type Observe = (event: ControllerEvent) => void;

/** A broken log does not stop a controller. */
export function quietly(observe: Observe | undefined): Observe {
  return (event) => {
    try {
      observe?.(event);
    } catch {
      // Whoever listens has nobody to tell but us.
    }
  };
}
