/**
 * One reconcile of one Deployment: collects the facts, decides the next step, carries it out. The next reconcile knows
 * the writes of this one. A new term of leadership begins with reads from the server, because the caches may lack the
 * last writes of another leader.
 */
import { fencedClient } from '../../../controller/fenced-client.ts';
import type { FencingToken } from '../../../controller/leadership.ts';
import { keyOf } from '../../../controller/object-key.ts';
import { readAgain } from '../../../controller/read-once.ts';
import type { Outcome, PassContext } from '../../../controller/reconcile.ts';
import type { RolloutContext } from '../context.ts';
import { hookPodSelector } from '../hookpod/identity.ts';
import { type DeploymentLifecycle, hookRuns } from '../kinds.ts';
import type { RolloutCaches } from './caches.ts';
import { carryOut } from './carry-out.ts';
import { decide } from './decide.ts';
import { gatherFacts } from './gather.ts';
import type { GateProofs } from './gate-proofs.ts';

export class RolloutDriver {
  readonly #context: RolloutContext;
  readonly #caches: RolloutCaches;
  readonly #proofs: GateProofs;
  #token: FencingToken | null = null;
  /** Keys that were read from the server in this term. */
  readonly #read = new Set<string>();

  constructor(context: RolloutContext, caches: RolloutCaches, proofs: GateProofs) {
    this.#context = context;
    this.#caches = caches;
    this.#proofs = proofs;
  }

  async pass(key: string, { mayAct, token }: PassContext): Promise<Outcome> {
    if (token !== this.#token) this.#read.clear();
    this.#token = token;
    await this.#readOnce(key);
    const { client: plain, platform } = this.#context;
    const client = fencedClient(plain, mayAct);
    const nowMs = platform.clock.nowMs();
    const gate = this.#proofs.of(key);
    const { isAuthored = () => true } = this.#context;
    const gathering = { caches: this.#caches, client, nowMs, gate, isAuthored };
    const facts = await gatherFacts(gathering, key);
    const acting = {
      context: this.#context,
      caches: this.#caches,
      proofs: this.#proofs,
      client,
      facts,
    };
    return carryOut(acting, decide(facts));
  }

  async #readOnce(key: string): Promise<void> {
    const lifecycles = this.#caches.lifecyclesOf(key);
    if (lifecycles.length === 0 && this.#caches.deployment(key) === null) {
      this.#read.delete(key);
      this.#caches.writtenDeployments.forget(key);
      return;
    }
    if (this.#read.has(key)) return;
    await this.#readNow(key, lifecycles);
    this.#read.add(key);
  }

  /**
   * Reads from the server: the caches may lack the last writes of another leader, or the server was restored from a
   * backup.
   */
  async #readNow(key: string, lifecycles: readonly DeploymentLifecycle[]): Promise<void> {
    const { client } = this.#context;
    const caches = this.#caches;
    const own = caches.writtenDeployments;
    const isThere = await readAgain({ client, cache: caches.deployments, own }, key);
    const reading = { client, cache: caches.lifecycles, own: caches.writtenLifecycles };
    for (const lifecycle of lifecycles) await readAgain(reading, keyOf(lifecycle));
    const { namespace = '', uid } = caches.deployment(key)?.metadata ?? {};
    if (!isThere || uid === undefined) return;
    const labelSelector = hookPodSelector(uid);
    const rememberRead = caches.beforeReadingRuns();
    const { items } = await client.list(hookRuns, { namespace, labelSelector });
    for (const run of items) rememberRead(run);
  }
}
