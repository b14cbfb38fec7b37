import type { AttemptResult } from '../../../model/attempt.ts';
import type { NotStarted } from '../kinds.ts';

/** How a held session ended. */
export type SessionEnd =
  /** The thaw ran: at our request or after a failed freeze (session), or for any other cause (deadman). */
  | {
      readonly kind: 'thawed';
      readonly by: 'session' | 'deadman';
      /** Exit code of the thaw; 0: the thaw succeeded. */
      readonly exitCode: number;
      readonly reason: string;
      /** The end of the application's output during the hold and the thaw, secrets masked. */
      readonly output?: string;
      /** Size of the whole output in bytes; set together with `output`. */
      readonly outputBytes?: number;
    }
  /**
   * The process that held the freeze has exited by itself, so the freeze was lost. The end of a database client has
   * also thawed its database.
   */
  | { readonly kind: 'broken'; readonly reason: string }
  /**
   * The end was not observed. A session helper that runs thaws by itself within its window; one that has exited does
   * not.
   */
  | { readonly kind: 'lost'; readonly reason: string };

/** A freeze that a helper holds in a container, and that the helper thaws when messages from us stop. */
export interface HeldSession {
  /** How the helper detects silence: by time (`read -t` or `sleep`), or only by the end of its input. */
  readonly timing: 'read' | 'sleep' | 'eof';
  readonly windowSeconds: number;
  /** Resolves once; never rejects. */
  readonly ended: Promise<SessionEnd>;
  /**
   * Requests the thaw and waits for its end, at most `timeoutMs` milliseconds. After that the result is `lost`: the
   * connection is closed, and the helper completes the thaw by itself.
   */
  thaw(timeoutMs: number): Promise<SessionEnd>;
}

/** The result of the attempt to freeze. `session` is set exactly if the freeze succeeded. */
export interface OpenedSession {
  readonly result: AttemptResult;
  readonly session: HeldSession | null;
  /** Set if the freeze failed or was stopped: how the helper undid it. */
  readonly undone?: SessionEnd;
  /** Set if it is certain that nothing was started, so there is nothing to undo. */
  readonly notStarted?: NotStarted;
}
