import type { Outcome } from './reconcile.ts';

/** The events that controllers emit about themselves: the source of logs and metrics. */
export type ControllerEvent =
  | { readonly type: 'PassStarted'; readonly controller: string; readonly key: string }
  | {
      readonly type: 'PassEnded';
      readonly controller: string;
      readonly key: string;
      readonly outcome: Outcome;
      readonly durationMs: number;
      /** Milliseconds until the key is requeued; null: it is requeued when something changes. */
      readonly againInMs: number | null;
      /** The number of keys that wait for a worker. */
      readonly depth: number;
    }
  /** The reconcile has reached its deadline, and its signal was aborted. It keeps its key until it returns. */
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
  /** The cluster does not serve this kind. All work that needs it waits. */
  | { readonly type: 'KindNotServed'; readonly resource: string }
  | { readonly type: 'KindServed'; readonly resource: string; readonly version: string }
  | { readonly type: 'LeadershipGained'; readonly lease: string; readonly transitions: number }
  | { readonly type: 'LeadershipLost'; readonly lease: string; readonly reason: string }
  | { readonly type: 'LeaderSeen'; readonly lease: string; readonly holder: string }
  | { readonly type: 'LeaseTroubled'; readonly lease: string; readonly reason: string }
  | { readonly type: 'EventDropped'; readonly reason: string };

/** Receives an event. If it throws, it misses only that event. */
export type Observe = (event: ControllerEvent) => void;

/** Makes an observer whose exceptions do not stop a controller. */
export function quietly(observe: Observe | undefined): Observe {
  return (event) => {
    try {
      observe?.(event);
    } catch {
      // The observer itself is broken, so there is no place to report this.
    }
  };
}
