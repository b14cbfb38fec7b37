/**
 * The disk of the node. While it is full, nothing can be written: no record of a hook, no volume, and no log of a new
 * container. Running containers continue. Deletions succeed.
 */
import type { World } from '../world.ts';

export class NodeDisk {
  readonly #world: World;
  isFull: boolean = false;

  constructor(world: World) {
    this.#world = world;
  }

  fillFor(ms: number): void {
    this.#world.note('disk: full');
    this.isFull = true;
    this.#world.after(ms, () => {
      this.free();
    });
  }

  free(): void {
    if (this.isFull) this.#world.note('disk: has space again');
    this.isFull = false;
  }

  /** The error of a failing system call; null if the call succeeds. */
  failure(what: string): Error | null {
    return this.isFull ? new Error(`ENOSPC: no space left on device, write '${what}'`) : null;
  }
}
