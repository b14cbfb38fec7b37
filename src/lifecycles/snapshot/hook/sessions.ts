/**
 * The sessions of this process, by target. An ended session is kept until its hook is forgotten: decisions about the
 * hook depend on its end.
 */
import type { HeldSession, OpenedSession, SessionEnd } from '../session/session.ts';
import type { SessionFacts } from './facts.ts';

interface Kept {
  readonly session: HeldSession | null;
  end: SessionEnd | null;
}

/**
 * Milliseconds that a thaw is waited for when this process gives up a session. The helper receives the request anyway.
 */
const LEAVING_MS = 1;

export class Sessions {
  readonly #kept = new Map<string, Kept>();
  #closed = false;

  look(id: string): SessionFacts {
    const kept = this.#kept.get(id);
    if (kept === undefined) return { kind: 'absent' };
    return kept.end === null ? { kind: 'held' } : { kind: 'ended', end: kept.end };
  }

  held(id: string): HeldSession | null {
    const kept = this.#kept.get(id);
    return kept?.end === null ? kept.session : null;
  }

  /** Stores the result of opening a session. `onEnd` is called when the session ends for any reason. */
  keep(id: string, { session, undone, result }: OpenedSession, onEnd: () => void): void {
    const kept: Kept = { session, end: session === null ? (undone ?? neverBegan(result)) : null };
    if (this.#closed) {
      leave(kept);
      return;
    }
    this.#kept.set(id, kept);
    if (session !== null) void follow(session, kept, onEnd);
  }

  forget(hookUid: string): void {
    for (const [id, kept] of this.#kept) {
      if (!id.startsWith(`${hookUid}/`)) continue;
      leave(kept);
      this.#kept.delete(id);
    }
  }

  /**
   * Requests a thaw from each session helper, also from one that starts later: this process renews no window any more.
   */
  close(): void {
    this.#closed = true;
    for (const kept of this.#kept.values()) leave(kept);
    this.#kept.clear();
  }
}

async function follow(session: HeldSession, kept: Kept, onEnd: () => void): Promise<void> {
  const end = await session.ended;
  kept.end ??= end;
  onEnd();
}

function leave({ session, end }: Kept): void {
  if (end === null) void session?.thaw(LEAVING_MS);
}

/** A session helper that never reported anything has frozen nothing, so there is nothing to undo. */
function neverBegan({ reason }: OpenedSession['result']): SessionEnd {
  return { kind: 'thawed', by: 'deadman', exitCode: 0, reason };
}
