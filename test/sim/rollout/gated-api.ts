/**
 * The simulated API server with the features that rollouts need: admission by the gate, a status subresource, all kinds
 * of patches, and dry runs. A pod stays until its node confirms the deletion.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMerge,
  builtinType,
  type PatchResult,
} from '../../../packages/local-cluster/src/testing.ts';
import { isTerminating } from '../../../src/controller/finalizers.ts';
import { timeText } from '../../../src/controller/kube-time.ts';
import type { DeleteOptions, PatchOptions } from '../../../src/kube/client.ts';
import type { JsonObject, KubeObject, ObjectKey, Resource } from '../../../src/kube/object.ts';
import { deployments, pods, replicaSets } from '../../../src/kube/resources.ts';
import { identityOf } from '../../../src/lifecycles/rollout/hookpod/identity.ts';
import { frozenCopy } from '../controller/frozen-copy.ts';
import { asNew, failure, SimApi, type Stored } from '../controller/sim-api.ts';
import type { MutatingWebhooks } from './mutating-webhooks.ts';
import { needNamespace } from './namespace.ts';
import { KEY_OF_WEB } from './scene.ts';

/** Finalizer in place of a node that has not confirmed the deletion of a pod yet. */
export const GRACE_FINALIZER = 'simulation/grace';

/** Returns the object to store; throws if the write is refused. */
export type Admit = (object: Stored, old: Stored | null) => Stored;

export interface GatedApiOptions {
  readonly nowMs: () => number;
  /** Admission of Deployments. `admitSet` is the same for ReplicaSets. */
  readonly admit: Admit;
  readonly admitSet: Admit;
  readonly others: MutatingWebhooks;
}

export class GatedApi extends SimApi {
  readonly #now: () => number;
  readonly #admits: ReadonlyMap<string, Admit>;
  readonly #others: MutatingWebhooks;

  constructor({ nowMs, admit, admitSet, others }: GatedApiOptions) {
    super(nowMs);
    this.#others = others;
    this.#now = nowMs;
    this.#admits = new Map([
      [deployments.kind, admit],
      [replicaSets.kind, admitSet],
    ]);
  }

  override create(resource: Resource, given: KubeObject): Stored {
    const { status: _, ...object } = asNew(given);
    if (object.metadata.namespace === KEY_OF_WEB.namespace) needNamespace(this);
    const admit = this.#admits.get(resource.kind);
    // The object is frozen first, because admission keeps parts of it and reads them again later.
    if (admit !== undefined) return super.create(resource, admit(frozenCopy(object), null));
    if (resource.kind !== pods.kind) return super.create(resource, object);
    return this.#createPod(object);
  }

  #createPod(given: Stored): Stored {
    const isHook = identityOf(given) !== null;
    const object = isHook ? this.#others.change('hook pod', 'before', given) : given;
    const finalizers = [...(object.metadata.finalizers ?? []), GRACE_FINALIZER];
    const metadata = { ...object.metadata, finalizers };
    return super.create(pods, { ...object, metadata, status: { phase: 'Pending' } } as Stored);
  }

  override replace(resource: Resource, given: KubeObject, part: 'object' | 'status'): Stored {
    return super.replace(resource, this.#asStored(resource, given as Stored, part), 'object');
  }

  override patch(resource: Resource, key: ObjectKey, options: PatchOptions): Stored {
    const before = this.get(resource, key);
    const after = patched(resource, before, options);
    const part = options.subresource === 'status' ? 'status' : 'object';
    if (options.dryRun !== true) return this.replace(resource, after, part);
    if (after.metadata.resourceVersion !== before.metadata.resourceVersion) {
      throw failure(409, 'Conflict', `${resource.plural} ${key.name} has been modified`);
    }
    return this.#asStored(resource, after, part);
  }

  override delete(resource: Resource, key: ObjectKey, options: DeleteOptions): Stored | null {
    if (resource.kind !== pods.kind) return super.delete(resource, key, options);
    return this.#deletePod(key, options);
  }

  /** Scales by the scale subresource, whose writes the webhook of Deployments does not receive. */
  scale(key: ObjectKey, replicas: number): void {
    const before = this.get(deployments, key);
    super.replace(
      deployments,
      { ...before, spec: { ...objectOf(before.spec), replicas } } as Stored,
      'object',
    );
  }

  #asStored(resource: Resource, given: Stored, part: 'object' | 'status'): Stored {
    const before = this.get(resource, { namespace: '', name: '', ...given.metadata });
    const { resourceVersion, uid, annotations } = given.metadata;
    const guard = {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(uid === undefined ? {} : { uid }),
    };
    if (part === 'status') {
      const kept = annotations === undefined ? {} : { annotations };
      const metadata = { ...before.metadata, ...kept, ...guard };
      return { ...before, metadata, status: given.status ?? {} };
    }
    const { status: _, ...rest } = given;
    const after = (
      before.status === undefined ? rest : { ...rest, status: before.status }
    ) as Stored;
    return this.#admits.get(resource.kind)?.(frozenCopy(after), before) ?? after;
  }

  #deletePod(key: ObjectKey, options: DeleteOptions): Stored | null {
    const before = this.get(pods, key);
    const { uid } = options.preconditions ?? {};
    if (uid !== undefined && uid !== before.metadata.uid) {
      throw failure(409, 'Conflict', `pod ${key.name} is another one`);
    }
    const graceSeconds = graceOf(before as unknown as Pod, options);
    if (graceSeconds === 0) return this.#forget(before);
    if (isTerminating(before)) return before;
    const after = asNew(before);
    after.metadata.deletionTimestamp = timeText(this.#now() + graceSeconds * 1_000);
    after.metadata.deletionGracePeriodSeconds = graceSeconds;
    return this.commit(pods, 'Upsert', after);
  }

  /** Deletes without a grace period by removing the node's finalizer. Other finalizers still keep the pod. */
  #forget(before: Stored): Stored | null {
    const { finalizers = [], namespace = '', name = '' } = before.metadata;
    if (!finalizers.includes(GRACE_FINALIZER)) return before;
    const left = finalizers.filter((other) => other !== GRACE_FINALIZER);
    const after = asNew(before);
    after.metadata.finalizers = left;
    if (left.length === 0) {
      super.replace(pods, after, 'object');
      return isTerminating(before) ? null : super.delete(pods, { namespace, name }, {});
    }
    after.metadata.deletionTimestamp = timeText(askedMs(before) ?? this.#now());
    after.metadata.deletionGracePeriodSeconds = 0;
    return this.commit(pods, 'Upsert', after);
  }
}

/** Grace period in seconds. It is 0 for a pod without a node and for an ended pod. */
function graceOf({ spec, status }: Pod, { gracePeriodSeconds }: DeleteOptions): number {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (spec?.nodeName === undefined || isOver) return 0;
  return gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
}

const DEFAULT_GRACE_SECONDS = 30;

/** Wall-clock time of the first deletion request, in milliseconds; null if there was none. */
function askedMs({ metadata }: Stored): number | null {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (deletionTimestamp === undefined) return null;
  return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000;
}

function patched(resource: Resource, before: Stored, options: PatchOptions): Stored {
  const result = patchResult(resource, before as unknown as JsonObject, options);
  if (result.kind === 'patched') return result.object as unknown as Stored;
  throw failure(result.code, 'Invalid', result.message);
}

function patchResult(
  { group, version, kind }: Resource,
  document: JsonObject,
  { type, body }: PatchOptions,
): PatchResult {
  if (type === 'json') return applyJsonPatch(document, body);
  if (type === 'merge') return applyMergePatch(document, body);
  const schema = builtinType(group, version, kind);
  if (schema === undefined) throw new Error(`no strategic merge patch for ${kind}: not built in`);
  return applyStrategicMerge({ document, patch: body, type: schema });
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
