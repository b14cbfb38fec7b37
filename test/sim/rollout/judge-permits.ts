/**
 * ROLL-P2 of `runs/permit.ts`: when the end of an attempt is recorded, the attempt has no permit any more. With a
 * permit, a late start would violate ROLL-L2, ROLL-L3 or ROLL-L4. Such a start is rare, because it needs a request that
 * is long in transit. Seeds with such requests are not judged here, since a late grant may be stored after the
 * permit was removed and before the end is recorded.
 */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';

import { configMaps } from '../../../src/kube/resources.ts';
import { permitKey, permits } from '../../../src/lifecycles/rollout/hookpod/permit-object.ts';
import type { HookRun } from '../../../src/lifecycles/rollout/kinds.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import type { HookIdentity } from './account.ts';

export class PermitJudge {
  readonly #world: World;
  readonly #api: SimApi;
  readonly #recorded = new Set<string>();

  constructor({ world, api }: { readonly world: World; readonly api: SimApi }) {
    this.#world = world;
    this.#api = api;
  }

  look({ metadata, spec, status }: HookRun): void {
    const { deploymentUID: uid, rollout: number, stage } = spec;
    for (const { number: attempt, outcome } of status?.attempts ?? []) {
      const hook = { uid, number, stage, attempt };
      if (outcome !== undefined) this.#judgeEnd(hook, metadata?.namespace ?? '');
    }
  }

  /** Judges once, when the record of the end is stored. A later grant finds that the attempt has ended. */
  #judgeEnd(hook: HookIdentity, namespace: string): void {
    const { uid, number, stage, attempt } = hook;
    const id = `${uid}/${number}/${stage}/${attempt}`;
    if (this.#recorded.has(id)) return;
    this.#recorded.add(id);
    const { name } = permitKey({ namespace, uid });
    const all = this.#api.peek(configMaps) as unknown as readonly ConfigMap[];
    const permit = all.find(({ metadata }) => metadata?.name === name);
    if (permit === undefined || !permits(permit, hook)) return;
    const what = `attempt ${attempt} of ${stage} of rollout ${number}`;
    this.#world.violate('ROLL-P2', `the end of ${what} is recorded, and it may still start`);
  }
}
