/**
 * Calls the admission webhooks for Deployments and ReplicaSets in the simulated server. Without the gate's webhook,
 * only the foreign webhooks are called.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { applyJsonPatch } from '../../../packages/local-cluster/src/testing.ts';
import type { Json, JsonObject } from '../../../src/kube/object.ts';
import { deployments } from '../../../src/kube/resources.ts';
import { gateStateOf } from '../../../src/lifecycles/rollout/gate/gate-state.ts';
import { judgeDeployment, judgeScale } from '../../../src/lifecycles/rollout/gate/judge.ts';
import { judgeSet, mayStartPods } from '../../../src/lifecycles/rollout/gate/judge-set.ts';
import type { PatchOperation } from '../../../src/lifecycles/rollout/gate/gated-fields.ts';
import { type GateInput, stamp } from '../../../src/lifecycles/rollout/gate/stamp.ts';
import { isProvenWith } from '../../../src/lifecycles/rollout/gate/write-proof.ts';
import {
  type DeploymentLifecycle,
  deploymentLifecycles,
} from '../../../src/lifecycles/rollout/kinds.ts';
import { frozenCopy } from '../controller/frozen-copy.ts';
import { failure, type SimApi, type Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { type Moment, MutatingWebhooks } from './mutating-webhooks.ts';
import { KEY_OF_WEB } from './scene.ts';

export const KEY = 'of this simulated installation, secret';
const isProven = isProvenWith(KEY);

export interface GateOptions {
  readonly world: World;
  /** False if the gate has no webhook. */
  readonly isInstalled: boolean;
  /** True if a lifecycle with the gate Admission names the Deployment. */
  readonly isNamed: () => boolean;
}

export class Gate {
  isDown: boolean = false;
  /** Foreign mutating webhooks, which the server calls before or after ours. */
  readonly others: MutatingWebhooks;
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
    this.others = new MutatingWebhooks(options.world);
  }

  admit(given: Stored, old: Stored | null): Stored {
    const object = this.#changed('before', given);
    if (!this.#isAsked(object, old)) return this.#changed('after', object);
    const first = this.#stamped(this.#input(object, old));
    const changed = this.#changed('after', objectIn(first));
    // The server calls our webhook again after the others. Our webhook must not change its own result.
    const second = this.#stamped(this.#input(changed, old));
    const isChanged = objectIn(second) !== changed;
    const last = isChanged ? this.#changed('again', objectIn(second)) : changed;
    const verdict = judgeDeployment(this.#input(last, old));
    if (!verdict.allowed) throw failure(403, 'Forbidden', verdict.status?.message ?? '');
    return last;
  }

  /** True if the server calls our webhook. Throws if it must, but the webhook does not answer. */
  #isAsked(object: Stored, old: Stored | null): boolean {
    if (!this.#options.isInstalled) return false;
    const isLabelled = [object, old].some((each) => each !== null && labelled(each));
    if (this.isDown && isLabelled) {
      throw failure(500, 'InternalError', 'failed calling webhook: connection refused');
    }
    return isLabelled || (old === null && !this.isDown);
  }

  #changed(moment: Moment, object: Stored): Stored {
    const changed = this.others.change('Deployment', moment, object);
    return changed === object ? object : frozenCopy(changed);
  }

  /** Throws if the scale subresource is refused. */
  admitScale(replicas: number, stored: Stored): void {
    // While our webhook does not answer, scaling passes (failurePolicy Ignore). Simulated users then do not scale a
    // held Deployment.
    if (!this.#options.isInstalled || this.isDown) return;
    const verdict = judgeScale({ replicas, deployment: stored as unknown as Deployment });
    if (!verdict.allowed) throw failure(403, 'Forbidden', verdict.status?.message ?? '');
  }

  /** Admission of a ReplicaSet from any client. While our webhook does not answer, all pass (failurePolicy Ignore). */
  admitSet(given: Stored, old: Stored | null, api: SimApi): Stored {
    const object = this.others.change('ReplicaSet', 'before', given);
    const deployment: unknown = api.find(deployments, KEY_OF_WEB);
    if (!this.#options.isInstalled || this.isDown || deployment === undefined) return object;
    const write = {
      set: object as unknown as ReplicaSet,
      old: old as unknown as ReplicaSet | null,
    };
    if (!mayStartPods(write)) return object;
    const lifecycle: unknown = api.find(deploymentLifecycles, KEY_OF_WEB);
    const lifecycles = lifecycle === undefined ? [] : [lifecycle as DeploymentLifecycle];
    const verdict = judgeSet(write, { deployment: deployment as Deployment, lifecycles });
    if (!verdict.allowed) throw failure(403, 'Forbidden', verdict.status?.message ?? '');
    return object;
  }

  #stamped(input: GateInput): GateInput {
    const { patch } = stamp(input);
    if (patch.length === 0) return input;
    return this.#input(patchedBy(input.object, patch), input.old as unknown as Stored | null);
  }

  #input(object: Stored, old: Stored | null): GateInput {
    const write = {
      object: object as unknown as Deployment,
      old: old as unknown as Deployment | null,
    };
    return {
      ...write,
      isProven: write.old !== null && isProven({ ...write, old: write.old }),
      isNamed: this.#options.isNamed(),
    };
  }
}

function objectIn({ object }: GateInput): Stored {
  return object as unknown as Stored;
}

function labelled(object: Stored): boolean {
  return gateStateOf(object as unknown as Deployment).labelled;
}

function patchedBy(object: Deployment, patch: readonly PatchOperation[]): Stored {
  const result = applyJsonPatch(object as unknown as JsonObject, patch as unknown as Json);
  if (result.kind !== 'patched') throw new Error(`the gate's own patch fails: ${result.message}`);
  return frozenCopy(result.object) as unknown as Stored;
}

/** True if a lifecycle with the webhook names the Deployment and is not being deleted. */
export function isNamed(api: SimApi): boolean {
  const found: unknown = api.find(deploymentLifecycles, KEY_OF_WEB);
  if (found === undefined) return false;
  const { metadata, spec } = found as DeploymentLifecycle;
  return metadata?.deletionTimestamp === undefined && spec.gate !== 'PausedAtRest';
}
