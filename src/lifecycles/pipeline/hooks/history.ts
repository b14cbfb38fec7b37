/** Earlier runs of hooks, for `changed` and `once-per-session`. */
export class HookHistory {
  readonly #digests: Map<string, string>;
  readonly #own = new Map<string, string>();
  readonly #succeeded = new Set<string>();
  readonly #forget: (address: string) => Promise<void>;

  /**
   * `digests`: by address, the digest of the inputs at the last success, from earlier sessions. `forget` removes
   * one of these records.
   */
  constructor(
    digests: Readonly<Record<string, string>> = {},
    forget: (address: string) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#digests = new Map(Object.entries(digests));
    this.#forget = forget;
  }

  /** Call before the hook starts: forgets the recorded digest, since this run may fail. */
  async begins(address: string): Promise<void> {
    if (!this.#digests.delete(address) || this.#own.delete(address)) return;
    await this.#forget(address);
  }

  /** Records a success only: after a failure the hook runs again. */
  succeeded(address: string, digest: string | null): void {
    this.#succeeded.add(address);
    if (digest === null) return;
    this.#digests.set(address, digest);
    this.#own.set(address, digest);
  }

  succeededInSession(address: string): boolean {
    return this.#succeeded.has(address);
  }

  lastDigest(address: string): string | null {
    return this.#digests.get(address) ?? null;
  }

  /** The digests of this session's successes, recorded for the next session. */
  digests(): Record<string, string> {
    return Object.fromEntries(this.#own);
  }
}
