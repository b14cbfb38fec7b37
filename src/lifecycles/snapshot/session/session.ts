import type { AttemptResult } from '../../../model/attempt.ts';
import type { NotStarted } from '../attempt-kinds.ts';

/** How a held session ended. */
export type SessionEnd =
  /** The thaw was made, because we asked for it or (deadman) because nothing was heard of us any more. */
  | {
      readonly kind: 'thawed';
      readonly by: 'session' | 'deadman';
      /** 0: it was made well. */
      readonly exitCode: number;
      readonly reason: string;
      /** What the application said during the hold and the thaw, its end, secrets masked. */
      readonly output?: string;
      /** Of all that it said; there with `output`. */
      readonly outputBytes?: number;
    }
  /** What held the freeze ended by itself: a client's session is thawed by that, and the freeze was not kept. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The connection was lost. The holder thaws by itself within its window; nobody saw it yet. */
  | { readonly kind: 'lost'; readonly reason: string };

/** A freeze that is held in a container, and that thaws by itself when nothing is heard of us. */
export interface HeldSession {
  /** What ends it there when nothing is heard: time, by `read -t` or by `sleep`, or only the end of input. */
  readonly timing: 'read' | 'sleep' | 'eof';
  readonly windowSeconds: number;
  /** Resolves once; never rejects. */
  readonly ended: Promise<SessionEnd>;
  /**
   * Asks for the thaw and waits for its end; `lost` when that was not seen within `timeoutMs`. The
   * connection is closed then, and the holder goes on with the thaw by itself.
   */
  thaw(timeoutMs: number): Promise<SessionEnd>;
}

/** The freeze is an attempt like any other; `session` is there exactly when it succeeded. */
export interface OpenedSession {
  readonly result: AttemptResult;
  readonly session: HeldSession | null;
  /** Where the freeze failed: what the holder, which undoes it by itself, told of that. */
  readonly undone?: SessionEnd;
  /** It is certain that nothing was begun, and so nothing is to be undone. */
  readonly notStarted?: NotStarted;
}
