import type { AttemptResult } from '../../../model/attempt.ts';
import type { NotStarted } from '../kinds.ts';

/** How a held session ended. */
export type SessionEnd =
  /** The thaw ran: at our request (session), or because no more messages arrived from us (deadman). */
  | {
      readonly kind: 'thawed';
      readonly by: 'session' | 'deadman';
      /** 0: the thaw succeeded. */
      readonly exitCode: number;
      readonly reason: string;
      /** The end of the application's output during the hold and the thaw, secrets masked. */
      readonly output?: string;
      /** Bytes of the whole output; set together with `output`. */
      readonly outputBytes?: number;
    }
  /**
   * The process that held the freeze has exited by itself, so the freeze was lost. If it was a database client, its end
   * has thawed the database.
   */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The connection was lost. The session helper thaws by itself within its window; that was not observed yet. */
  | { readonly kind: 'lost'; readonly reason: string };

/** A freeze that a helper holds in a container, and that the helper thaws when messages from us stop. */
export interface HeldSession {
  /** How the helper detects silence: time, by `read -t` or by `sleep`, or only the end of its input. */
  readonly timing: 'read' | 'sleep' | 'eof';
  readonly windowSeconds: number;
  /** Resolves once; never rejects. */
  readonly ended: Promise<SessionEnd>;
  /**
   * Requests the thaw and waits for its end; `lost` if it was not seen within `timeoutMs`. The connection is closed
   * then, and the helper completes the thaw by itself.
   */
  thaw(timeoutMs: number): Promise<SessionEnd>;
}

/** The freeze is an attempt like any other; `session` is set exactly if it succeeded. */
export interface OpenedSession {
  readonly result: AttemptResult;
  readonly session: HeldSession | null;
  /** Set if the freeze failed: the report of the helper, which undoes the freeze by itself. */
  readonly undone?: SessionEnd;
  /** Set if it is certain that nothing was started, so there is nothing to undo. */
  readonly notStarted?: NotStarted;
}
