/** What is known of earlier runs of hooks: for `changed` and `once-per-session`. */
export class HookHistory {
  readonly #digests: Map<string, string>;
  readonly #own = new Map<string, string>();
  readonly #succeeded = new Set<string>();
  readonly #forget: (address: string) => Promise<void>;

  /**
   * `digests` is what earlier sessions recorded: of each address the inputs' digest at its last success. `forget` removes
   * one from that record.
   */
  constructor(
    digests: Readonly<Record<string, string>> = {},
    forget: (address: string) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#digests = new Map(Object.entries(digests));
    this.#forget = forget;
  }

  /** Before the hook starts: from now on the recorded digest may not be that of its last success any more. */
  async begins(address: string): Promise<void> {
    if (!this.#digests.delete(address) || this.#own.delete(address)) return;
    await this.#forget(address);
  }

  /** A failure is no run to be remembered: the hook is due again. */
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

  /** Of this session's successes: what is recorded for the next session. */
  digests(): Record<string, string> {
    return Object.fromEntries(this.#own);
  }
}
