/** Stores, across sessions, the digest that the inputs of each hook had at its last success. */
export interface SuccessRecords {
  /** null: the hook never succeeded, or it was started again after its last success. */
  read(address: string): Promise<string | null>;
  /** The record is durable when this returns. A null digest deletes the record. */
  write(address: string, digest: string | null): Promise<void>;
}

/** Knows the earlier runs of hooks, for `run: changed` and `run: once-per-session`. */
export class HookHistory {
  readonly #records: SuccessRecords;
  readonly #digests = new Map<string, string | null>();
  readonly #succeeded = new Set<string>();

  constructor(records: SuccessRecords = memoryRecords()) {
    this.#records = records;
  }

  /**
   * Reads the records of these hooks again. Call it before a decision about them: another session may have run them
   * meanwhile.
   */
  async recall(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      this.#digests.set(address, await this.#records.read(address));
    }
  }

  /** Call before the hook starts: deletes the recorded digest, since this run may fail. */
  async begins(address: string): Promise<void> {
    this.#digests.delete(address);
    await this.#records.write(address, null);
  }

  /** Records the digest of a success. Do not call it after a failure: a failed hook must run again. */
  async succeeded(address: string, digest: string | null): Promise<void> {
    this.#succeeded.add(address);
    if (digest === null) return;
    this.#digests.set(address, digest);
    await this.#records.write(address, digest);
  }

  succeededInSession(address: string): boolean {
    return this.#succeeded.has(address);
  }

  /** The digest that `recall` read; null: the hook never succeeded, or it was started again after its last success. */
  lastDigest(address: string): string | null {
    return this.#digests.get(address) ?? null;
  }
}

function memoryRecords(): SuccessRecords {
  const digests = new Map<string, string | null>();
  return {
    read: async (address) => digests.get(address) ?? null,
    write: async (address, digest) => {
      digests.set(address, digest);
    },
  };
}
