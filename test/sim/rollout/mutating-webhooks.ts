/** Foreign mutating webhooks: each changes the objects of one kind for a while, before or after the gate's webhook. */
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import type { Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { hookPhases } from './phases.ts';

export type MutatedKind = 'Deployment' | 'ReplicaSet' | 'hook pod';

/** When the foreign webhook is called. `again`: a second time, since the gate's webhook has changed its result. */
export type Moment = 'before' | 'after' | 'again';

export interface MutatingWebhook {
  readonly kind: MutatedKind;
  readonly moments: readonly Moment[];
  /** Returns the changed object, or the same object if nothing changes. `call`: number of the call, from 1. */
  readonly change: (object: Stored, call: number) => Stored;
}

export class MutatingWebhooks {
  /** True if a webhook has ever raised the replicas from 1 to 2. */
  hasRaised: boolean = false;
  readonly #world: World;
  readonly #present = new Set<MutatingWebhook>();
  #calls = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the function that removes the webhook. */
  add(webhook: MutatingWebhook): () => void {
    this.#present.add(webhook);
    return () => {
      this.#present.delete(webhook);
    };
  }

  /** Removes all webhooks when the faults end. */
  clear(): void {
    this.#present.clear();
  }

  change(kind: MutatedKind, moment: Moment, object: Stored): Stored {
    let changed = object;
    for (const webhook of this.#present) {
      if (webhook.kind !== kind || !webhook.moments.includes(moment)) continue;
      this.#calls += 1;
      changed = webhook.change(changed, this.#calls);
    }
    if (changed !== object) this.#meet(kind, object);
    this.hasRaised ||= countOf(object) === 1 && countOf(changed) === 2;
    return changed;
  }

  #meet(kind: MutatedKind, object: Stored): void {
    const { faults } = this.#world;
    const ofHook = (): readonly string[] => hookPhases(identityOf(object)?.stage, []);
    faults.met(`foreign webhook changes ${kind}`, kind === 'hook pod' ? ofHook : faults.phases);
  }
}

function countOf({ spec }: Stored): unknown {
  return (spec as { readonly replicas?: number } | undefined)?.replicas;
}
