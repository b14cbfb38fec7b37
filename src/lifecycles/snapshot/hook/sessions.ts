/**
 * The sessions that this process holds, by target. One that ends is kept as ended until its hook is
 * forgotten: what became of it is part of what the hook is judged on.
 */
import type { HeldSession, OpenedSession, SessionEnd } from '../session/session.ts';
import type { SessionFacts } from './facts.ts';

interface Kept {
  readonly session: HeldSession | null;
  end: SessionEnd | null;
}

/** How long a holder is waited for when we leave, milliseconds: it hears of it all the same. */
const LEAVING_MS = 1;

export class Sessions {
  readonly #kept = new Map<string, Kept>();

  look(id: string): SessionFacts {
    const kept = this.#kept.get(id);
    if (kept === undefined) return { kind: 'absent' };
    return kept.end === null ? { kind: 'held' } : { kind: 'ended', end: kept.end };
  }

  held(id: string): HeldSession | null {
    const kept = this.#kept.get(id);
    return kept?.end === null ? kept.session : null;
  }

  /** What came of an opening. `onEnd` is called when a session ends, whoever ended it. */
  keep(id: string, { session, undone, result }: OpenedSession, onEnd: () => void): void {
    const kept: Kept = { session, end: session === null ? (undone ?? neverBegan(result)) : null };
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

  /** Each holder is told to thaw: nobody will renew for it any more. */
  close(): void {
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

/** Without a word of the holder nothing was begun, and so nothing is to be undone. */
function neverBegan({ reason }: OpenedSession['result']): SessionEnd {
  return { kind: 'thawed', by: 'deadman', exitCode: 0, reason };
}
