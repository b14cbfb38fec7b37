import type { Clock } from '../../../platform/platform.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AdmittedVerdict } from '../kinds.ts';

/**
 * Milliseconds between two writes of the same mark. Another client may undo each write at once, so without this pause
 * the writes would never end.
 */
const AGAIN_MS = 10_000;

export interface TimedMark {
  readonly object: KubeObject;
  readonly verdict: Pick<AdmittedVerdict, 'value' | 'reason'>;
}

interface Written {
  readonly verdict: string;
  /** Milliseconds of the monotonic clock. */
  readonly atMs: number;
}

/**
 * The verdicts that this process has just tried to write. The same verdict is written again only after a pause
 * (SNAP-S7).
 */
export class MarkTimes {
  readonly #clock: Clock;
  /** Keyed by the UID of the marked object; the oldest entry is first. */
  readonly #written = new Map<string, Written>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the mark may be written; 0: now. */
  pauseMs(mark: TimedMark): number {
    const before = this.#written.get(uidOf(mark));
    if (before === undefined || before.verdict !== verdictOf(mark)) return 0;
    return Math.max(0, before.atMs + AGAIN_MS - this.#clock.monotonicMs());
  }

  record(mark: TimedMark): void {
    const atMs = this.#clock.monotonicMs();
    for (const [uid, before] of this.#written) {
      if (before.atMs + AGAIN_MS > atMs) break;
      this.#written.delete(uid);
    }
    this.#written.delete(uidOf(mark));
    this.#written.set(uidOf(mark), { verdict: verdictOf(mark), atMs });
  }
}

function uidOf({ object }: TimedMark): string {
  return object.metadata?.uid ?? '';
}

function verdictOf({ verdict: { value, reason } }: TimedMark): string {
  return `${value} ${reason}`;
}
