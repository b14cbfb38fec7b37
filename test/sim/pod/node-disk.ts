/**
 * The disk of the node. While it is full nothing is written: no record of a hook, no volume, no log of a starting
 * container. Running containers continue, and deletions free space.
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

  /** The error of the system call that fails; null: it succeeds. */
  failure(what: string): Error | null {
    return this.isFull ? new Error(`ENOSPC: no space left on device, write '${what}'`) : null;
  }
}
