/**
 * Addresses of pods: each pod has a loopback address of its own, so that many may listen on the same
 * port. The whole of 127.0.0.0/8 is there without any set-up on Linux; on macOS only those that somebody
 * has added, so there every pod gets 127.0.0.1 and ports must differ.
 */

/** Of a range of two numbers, 127.10.0.1 to 127.10.255.254: room for some 65 000. */
const FIRST = 1;
const LAST = 0xff_fe;

export class PodAddresses {
  readonly #taken = new Map<string, string>();
  readonly #shared: boolean;
  readonly #range: string;
  #next = FIRST;

  /** `range`: "127.10."; `shared`: this host has one loopback address only. */
  constructor({ range, shared }: { readonly range: string; readonly shared: boolean }) {
    this.#range = range;
    this.#shared = shared;
  }

  /** The pod's address; the one it had, if that is still free. */
  take(podUid: string, had?: string): string {
    if (this.#shared) return '127.0.0.1';
    const mine = [...this.#taken].find(([, uid]) => uid === podUid)?.[0];
    if (mine !== undefined) return mine;
    const address = had !== undefined && !this.#taken.has(had) ? had : this.#free();
    this.#taken.set(address, podUid);
    return address;
  }

  release(podUid: string): void {
    for (const [address, uid] of this.#taken) if (uid === podUid) this.#taken.delete(address);
  }

  /** Addresses are not used again at once: a client may still be talking to the one before. */
  #free(): string {
    for (let tried = FIRST; tried <= LAST; tried += 1) {
      const number = this.#next;
      this.#next = number === LAST ? FIRST : number + 1;
      const address = `${this.#range}${number >> 8}.${number & 0xff}`;
      if (!this.#taken.has(address)) return address;
    }
    throw new Error(`all ${LAST} pod addresses are taken`);
  }
}
