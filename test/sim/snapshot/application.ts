/**
 * A simulated application in one container. It writes to its volumes all the time, unless it is frozen. As in real
 * applications, the kind of its lock decides which clients can freeze it and what releases the freeze:
 *
 *   flag          set and cleared; kept until the application restarts
 *   counted       each acquisition needs one release
 *   session       held until the session that acquired it ends
 *   superblock    of the file system; refuses a second freeze, and outlives the container and the pod
 *   selfExpiring  ends after a fixed time
 *
 * An application may be a client of another one, its server. Both share the server's lock and freezes.
 */
import type { World } from '../world.ts';

export type Lock = 'flag' | 'counted' | 'session' | 'superblock' | 'selfExpiring';

/** Time after which a freeze with the lock selfExpiring ends, in milliseconds. */
export const PAUSE_MS = 20_000;

export interface ApplicationIdentity {
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
  readonly claims: readonly string[];
  readonly lock: Lock;
  /**
   * Returns the server whose lock this application shares; undefined while the server does not run. Absent: this
   * application has a lock of its own.
   */
  readonly server?: () => Application | undefined;
}

/** A freeze without interruption. A volume that is cut during it is consistent for the application. */
export interface Freeze {
  readonly tag: string;
  readonly beganMs: number;
  endedMs: number | null;
}

export class Application {
  readonly is: ApplicationIdentity;
  /** True while its container runs. */
  alive: boolean = true;
  readonly sinceMs: number;
  readonly freezes: Freeze[] = [];
  /** Listeners that are called when the container exits, because its processes exit too. */
  readonly onStop: Set<() => void> = new Set();
  readonly #world: World;
  #freeze: Freeze | null = null;
  #count = 0;
  /** Names of the sessions that hold the lock. */
  readonly #sessions = new Set<string>();
  #writtenMs = 0;
  #writesSinceMs: number;
  #callOffPause: () => void = () => {};

  constructor(world: World, is: ApplicationIdentity) {
    this.#world = world;
    this.is = is;
    this.sinceMs = world.elapsedMs;
    this.#writesSinceMs = world.elapsedMs;
  }

  get name(): string {
    return `${this.is.pod}/${this.is.container} (${this.is.podUid})`;
  }

  get freeze(): Freeze | null {
    const { server } = this.is;
    return server === undefined ? this.#ownFreeze : (server()?.freeze ?? null);
  }

  /** The open freeze. It may come from a replaced application, which may have released it meanwhile. */
  get #ownFreeze(): Freeze | null {
    return this.#freeze?.endedMs === null ? this.#freeze : null;
  }

  /** Time for which the application has written to its volumes, in milliseconds. It stands for their content. */
  get written(): number {
    const { server } = this.is;
    if (server !== undefined) return server()?.written ?? 0;
    const { elapsedMs } = this.#world;
    const writes = this.alive && this.freeze === null;
    return this.#writtenMs + (writes ? elapsedMs - this.#writesSinceMs : 0);
  }

  /** Freezes, and returns the exit code of the command. */
  takeLock(tag: string, session: string = tag): number {
    if (!this.alive) return 137;
    const { server } = this.is;
    if (server !== undefined) return server()?.takeLock(tag, session) ?? 1;
    this.#sessions.add(session);
    if (this.is.lock === 'superblock' && this.freeze !== null) return 1;
    this.#count += 1;
    this.#callOffPause();
    if (this.is.lock === 'selfExpiring') {
      this.#callOffPause = this.#world.after(PAUSE_MS, () => {
        this.endFreeze('the pause is over');
      });
    }
    this.#begin(tag);
    return 0;
  }

  /** Thaws, and returns the exit code of the command. To thaw an application that is not frozen is no failure. */
  giveLock(tag: string, session: string = tag): number {
    if (!this.alive) return 137;
    const { server } = this.is;
    if (server !== undefined) return server()?.giveLock(tag, session) ?? 0;
    this.#count = Math.max(0, this.#count - 1);
    this.#sessions.delete(session);
    if (this.is.lock === 'counted' && this.#count > 0) return 0;
    if (this.is.lock === 'session' && this.#sessions.size > 0) return 0;
    this.endFreeze(`thawed by ${tag}`);
    return 0;
  }

  /** Simulates the exit of the container. `restart` starts it again. */
  stop(): void {
    this.#keepWritten();
    this.alive = false;
    if (this.is.lock !== 'superblock') this.endFreeze('its container has ended');
    const reported = [...this.onStop];
    this.onStop.clear();
    for (const report of reported) report();
  }

  restart(): void {
    this.alive = true;
    this.#writesSinceMs = this.#world.elapsedMs;
  }

  /** Replaces an application whose pod was deleted. A frozen file system stays frozen. */
  takeOver(before: Application | undefined): void {
    if (this.is.lock === 'superblock') this.#freeze = before?.freeze ?? null;
  }

  #begin(tag: string): void {
    if (this.#ownFreeze !== null) return;
    this.#keepWritten();
    this.#freeze = { tag, beganMs: this.#world.elapsedMs, endedMs: null };
    this.freezes.push(this.#freeze);
    this.#world.note(`${this.name} is frozen by ${tag}`);
  }

  endFreeze(why: string): void {
    this.#callOffPause();
    this.#count = 0;
    this.#sessions.clear();
    if (this.#ownFreeze === null || this.#freeze === null) return;
    this.#freeze.endedMs = this.#world.elapsedMs;
    this.#freeze = null;
    this.#writesSinceMs = this.#world.elapsedMs;
    this.#world.note(`${this.name} is not frozen any more: ${why}`);
  }

  #keepWritten(): void {
    this.#writtenMs = this.written;
    this.#writesSinceMs = this.#world.elapsedMs;
  }
}
