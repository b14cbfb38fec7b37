/**
 * One pass over one snapshot: the present state, the one next thing to do, the doing. What a pass has
 * written the next one knows, and a new term of leadership begins with what the server has (SNAP-I13, SNAP-I14).
 */
import { fencedClient } from '../../../controller/fenced-client.ts';
import type { FencingToken } from '../../../controller/leadership.ts';
import { readOnce } from '../../../controller/read-once.ts';
import { done, type Outcome, type PassContext } from '../../../controller/reconcile.ts';
import type { SnapshotContext } from '../context.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import type { SnapshotCaches } from './caches.ts';
import { carryOut } from './carry-out.ts';
import { CutTimes } from './cut-times.ts';
import { decide } from './decide.ts';
import { thawAll } from './end-steps.ts';
import { gatherFacts } from './facts.ts';
import { letOrphansGo } from './orphans.ts';

/**
 * How long passes in a row may fail while hooks are held, milliseconds: whatever keeps us from going on must not
 * keep an application frozen. Counted as time, since a pass may wait 30 s for an answer before it fails.
 */
const PATIENCE_WHILE_FROZEN_MS = 25_000;

export class SnapshotDriver {
  readonly #context: SnapshotContext;
  readonly #caches: SnapshotCaches;
  readonly #cutTimes: CutTimes;
  /** Of each key whose last pass failed: when the first of those in a row began, on the monotonic clock. */
  readonly #failingSince = new Map<string, number>();
  #token: FencingToken | null = null;

  constructor(context: SnapshotContext, caches: SnapshotCaches) {
    this.#context = context;
    this.#caches = caches;
    this.#cutTimes = new CutTimes(context.platform.clock);
  }

  async pass(key: string, { mayAct, token }: PassContext): Promise<Outcome> {
    const beganMs = this.#context.platform.clock.monotonicMs();
    if (token !== this.#token) this.#caches.beginTerm();
    this.#token = token;
    const snapshot = await this.#newest(key);
    const client = fencedClient(this.#context.client, mayAct);
    await letOrphansGo({ caches: this.#caches, client }, key, snapshot);
    if (snapshot === null) return done;
    const nowMs = this.#context.platform.clock.nowMs();
    const cutForMs = this.#cutTimes.elapsedMs(key, snapshot.status?.cutRequestedAt);
    const facts = await gatherFacts({ caches: this.#caches, client, nowMs, cutForMs }, snapshot);
    const acting = { context: this.#context, caches: this.#caches, client, facts };
    try {
      const outcome = await carryOut(acting, decide(facts));
      this.#failingSince.delete(key);
      return outcome;
    } catch (error) {
      if (this.#failingForMs(key, beganMs) >= PATIENCE_WHILE_FROZEN_MS) await thawAll(acting);
      throw error;
    }
  }

  #failingForMs(key: string, beganMs: number): number {
    const sinceMs = this.#failingSince.get(key) ?? beganMs;
    this.#failingSince.set(key, sinceMs);
    return this.#context.platform.clock.monotonicMs() - sinceMs;
  }

  async #newest(key: string): Promise<ApplicationSnapshot | null> {
    const { applications: cache, writtenApplications: own } = this.#caches;
    if (cache.get(key) !== undefined)
      return (await readOnce({ client: this.#context.client, cache, own }, key)) ?? null;
    this.#cutTimes.forget(key);
    this.#failingSince.delete(key);
    own.forget(key);
    return null;
  }
}
