/** What is known of earlier runs of hooks: for `changed` and `once-per-session`. */
export class HookHistory {
  readonly #digests: Map<string, string>;
  readonly #succeeded = new Set<string>();

  /** `digests` is what an earlier session told: of each address the inputs' digest at its last success. */
  constructor(digests: Readonly<Record<string, string>> = {}) {
    this.#digests = new Map(Object.entries(digests));
  }

  /** A failure is no run to be remembered: the hook is due again. */
  succeeded(address: string, digest: string | null): void {
    this.#succeeded.add(address);
    if (digest !== null) this.#digests.set(address, digest);
  }

  succeededInSession(address: string): boolean {
    return this.#succeeded.has(address);
  }

  lastDigest(address: string): string | null {
    return this.#digests.get(address) ?? null;
  }

  /** For the next session. */
  digests(): Record<string, string> {
    return Object.fromEntries(this.#digests);
  }
}
