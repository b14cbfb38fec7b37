/**
 * Tests by dry runs whether the gate works (ROLL-E19). That depends on the webhook configurations and their servers,
 * which are the same for a whole namespace. Each process therefore tests each Deployment once, and after that one
 * Deployment of each namespace per period. 500 Deployments of one namespace without a rollout cost one request a
 * minute.
 *
 *  ROLL-AP1 The verdict on a namespace is that of the last test of any of its Deployments.
 *  ROLL-AP2 A changed verdict triggers reconciles of the namespace's Deployments; an unchanged one triggers none.
 *  ROLL-AP3 A test that conflicts with other writers proves nothing: the earlier verdict stays.
 *  ROLL-AP4 A period is at least PROOF_PERIOD_MS and at most a quarter longer, so that processes and namespaces do not
 *     stay synchronized.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { Source } from '../../../controller/source.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { RolloutContext } from '../context.ts';
import { proveGate } from '../gate/armed-probe.ts';
import { PROOF_PERIOD_MS } from '../names.ts';
import type { RolloutCaches } from './caches.ts';
import { type GateVerdict, noWebhook, pausedAtRest } from './gate-verdict.ts';
import { marksOf } from './marks.ts';
import { uidOf } from './parts.ts';

const JITTER = 0.25;

export class GateProofs implements Source {
  readonly #context: RolloutContext;
  readonly #caches: RolloutCaches;
  /** The verdicts by namespace. */
  readonly #verdicts = new Map<string, GateVerdict>();
  /** UIDs of the Deployments that this process has tested with a dry run. */
  readonly #tried = new Set<string>();
  #enqueue: (key: string) => void = () => undefined;

  constructor(context: RolloutContext, caches: RolloutCaches) {
    this.#context = context;
    this.#caches = caches;
  }

  synced(): Promise<void> {
    return Promise.resolve();
  }

  listen(enqueue: (key: string) => void): () => void {
    this.#enqueue = enqueue;
    return () => {
      this.#enqueue = () => undefined;
    };
  }

  /** null: the gate was not tested yet. */
  of(key: string): GateVerdict | null {
    const [lifecycle] = this.#caches.lifecyclesOf(key);
    if (lifecycle?.spec.gate === 'PausedAtRest') return pausedAtRest;
    if (this.#context.prove === null) return noWebhook;
    const { namespace = '', uid = '' } = this.#caches.deployment(key)?.metadata ?? {};
    return this.#tried.has(uid) ? (this.#verdicts.get(namespace) ?? null) : null;
  }

  /** Tests the gate of one Deployment. false: the test conflicted with other writers, and there is no new verdict. */
  async prove(client: KubeClient, deployment: Deployment): Promise<boolean> {
    const { namespace = '', name = '', uid = '' } = deployment.metadata ?? {};
    const { armed, reason, message } = await proveGate(client, deployment);
    if (reason === 'Conflict') return false;
    const before = this.#verdicts.get(namespace);
    this.#verdicts.set(namespace, { armed, reason, message });
    this.#tried.add(uid);
    this.#context.observe({ type: 'GateProven', namespace, deployment: name, armed, reason });
    const isSame = before?.reason === reason;
    if (!isSame) for (const key of this.#keptKeys(namespace)) this.#enqueue(key);
    return true;
  }

  /** Repeats the tests until the signal aborts. */
  async run(signal: CancelSignal): Promise<void> {
    const { platform, random, prove } = this.#context;
    if (prove === null) return;
    for (;;) {
      await sleep(platform.timers, PROOF_PERIOD_MS * (1 + JITTER * random()), signal);
      if (signal.aborted) return;
      this.#forgetDeleted();
      for (const namespace of this.#verdicts.keys()) await this.#proveOneOf(namespace);
    }
  }

  async #proveOneOf(namespace: string): Promise<void> {
    const gated = this.#keptKeys(namespace).flatMap((key) => {
      const deployment = this.#caches.deployment(key);
      return deployment !== null && marksOf(deployment).labelled ? [deployment] : [];
    });
    const chosen = gated[Math.floor(this.#context.random() * gated.length)];
    if (chosen === undefined) {
      this.#verdicts.delete(namespace);
      return;
    }
    await this.prove(this.#context.client, chosen);
  }

  /** Keys of the Deployments whose lifecycle uses the webhook. */
  #keptKeys(namespace: string): readonly string[] {
    const kept = this.#caches.lifecycles
      .list()
      .filter(
        ({ metadata, spec }) => metadata?.namespace === namespace && spec.gate !== 'PausedAtRest',
      );
    return [...new Set(kept.map(({ spec }) => `${namespace}/${spec.deploymentName}`))];
  }

  #forgetDeleted(): void {
    const there = new Set(this.#caches.deployments.list().map(uidOf));
    for (const uid of this.#tried) if (!there.has(uid)) this.#tried.delete(uid);
  }
}
