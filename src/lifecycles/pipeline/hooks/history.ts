/** Where the digest of the inputs at the last success of each hook is recorded, across sessions. */
export interface SuccessRecords {
  /** null: the hook never succeeded, or was started again since. */
  read(address: string): Promise<string | null>;
  /** Durable when it returns. A digest of null deletes the record. */
  write(address: string, digest: string | null): Promise<void>;
}

/** Earlier runs of hooks, for `changed` and `once-per-session`. */
export class HookHistory {
  readonly #records: SuccessRecords;
  readonly #digests = new Map<string, string | null>();
  readonly #succeeded = new Set<string>();

  constructor(records: SuccessRecords = memoryRecords()) {
    this.#records = records;
  }

  /** Call before a decision about these hooks: another session may have run them meanwhile. */
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

  /** Records a success only: after a failure the hook runs again. */
  async succeeded(address: string, digest: string | null): Promise<void> {
    this.#succeeded.add(address);
    if (digest === null) return;
    this.#digests.set(address, digest);
    await this.#records.write(address, digest);
  }

  succeededInSession(address: string): boolean {
    return this.#succeeded.has(address);
  }

  /** As `recall` read it; null: the hook did not succeed, or was started again since. */
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
