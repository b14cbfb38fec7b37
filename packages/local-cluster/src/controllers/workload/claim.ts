/**
 * Adopts and releases objects for an owner.
 *
 * - An owner keeps the objects that it controls and selects.
 * - It releases those that it controls but no longer selects.
 * - It adopts those that it selects and that have no controller.
 * - Objects of other owners are never changed, whatever their labels.
 * - A terminating object is not adopted.
 * - An owner that is terminating or was recreated adopts nothing. The server is asked before the first adoption of a
 *   reconcile.
 */
import { controllerOf } from '../../../../../src/controller/indexes.ts';
import { isTerminating } from '../../../../../src/controller/finalizers.ts';
import { keyOf, parseKey } from '../../../../../src/controller/object-key.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import {
  apiVersionOf,
  type Json,
  type KubeObject,
  type Resource,
} from '../../../../../src/kube/object.ts';
import { controllerReference } from './child-index.ts';

export interface Claiming<O extends KubeObject, T extends KubeObject> {
  readonly client: KubeClient;
  readonly ownerResource: Resource<O>;
  readonly owner: O;
  readonly resource: Resource<T>;
  readonly candidates: readonly T[];
  readonly selects: (child: T) => boolean;
  /** Finalizer that is added to an adopted object and removed from a released one. */
  readonly finalizer?: string;
}

export type ClaimStep = 'keep' | 'leave' | 'adopt' | 'release';

export function claimStep(owner: KubeObject, child: KubeObject, selected: boolean): ClaimStep {
  const controller = controllerOf(child);
  if (controller !== undefined) {
    if (controller.uid !== owner.metadata?.uid) return 'leave';
    if (selected) return 'keep';
    return isTerminating(owner) ? 'leave' : 'release';
  }
  return selected && !isTerminating(owner) && !isTerminating(child) ? 'adopt' : 'leave';
}

/**
 * Adopts and releases objects for one owner. Tries all candidates. Resolves to the owner's objects afterwards, or
 * rejects with the first error.
 */
export async function claimChildren<O extends KubeObject, T extends KubeObject>(
  claiming: Claiming<O, T>,
): Promise<readonly T[]> {
  const { candidates, owner } = claiming;
  const mayAdopt = onceAsked(claiming);
  const failures: unknown[] = [];
  const claimed: T[] = [];
  for (const child of candidates) {
    const step = claimStep(owner, child, claiming.selects(child));
    try {
      const mine = await take({ ...claiming, mayAdopt }, child, step);
      if (mine !== null) claimed.push(mine);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return claimed;
}

type Taking<O extends KubeObject, T extends KubeObject> = Claiming<O, T> & {
  readonly mayAdopt: () => Promise<void>;
};

async function take<O extends KubeObject, T extends KubeObject>(
  taking: Taking<O, T>,
  child: T,
  step: ClaimStep,
): Promise<T | null> {
  switch (step) {
    case 'keep':
      return child;
    case 'leave':
      return null;
    case 'release':
      await release(taking, child);
      return null;
    case 'adopt':
      await taking.mayAdopt();
      return adopt(taking, child);
    default:
      return step satisfies never;
  }
}

function onceAsked<O extends KubeObject, T extends KubeObject>({
  client,
  owner,
  ownerResource,
}: Claiming<O, T>): () => Promise<void> {
  let asking: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    const key = keyOf(owner);
    const live = await client.get(ownerResource, parseKey(key));
    const what = `${ownerResource.kind} ${key}`;
    if (live.metadata?.uid !== owner.metadata?.uid) {
      throw new Error(`${what} was deleted and created again: the deleted one adopts no objects`);
    }
    if (isTerminating(live)) throw new Error(`${what} is being deleted: it adopts no objects`);
  };
  return () => (asking ??= ask());
}

async function adopt<O extends KubeObject, T extends KubeObject>(
  { client, owner, ownerResource, resource, finalizer }: Taking<O, T>,
  child: T,
): Promise<T | null> {
  const { kind } = ownerResource;
  const reference = controllerReference({ apiVersion: apiVersionOf(ownerResource), kind }, owner);
  const metadata: Record<string, Json> = {
    uid: child.metadata?.uid ?? '',
    ownerReferences: [{ ...reference }],
  };
  if (finalizer !== undefined) metadata['finalizers'] = [finalizer];
  const key = parseKey(keyOf(child));
  return orNull(client.patch(resource, key, { type: 'strategic', body: { metadata } }), 'NotFound');
}

async function release<O extends KubeObject, T extends KubeObject>(
  { client, owner, resource, finalizer }: Taking<O, T>,
  child: T,
): Promise<void> {
  const ours = owner.metadata?.uid ?? '';
  const metadata: Record<string, Json> = {
    uid: child.metadata?.uid ?? '',
    ownerReferences: [{ $patch: 'delete', uid: ours }],
  };
  if (finalizer !== undefined) metadata['$deleteFromPrimitiveList/finalizers'] = [finalizer];
  const key = parseKey(keyOf(child));
  const patch = client.patch(resource, key, { type: 'strategic', body: { metadata } });
  // The object was deleted, or another controller already owns it.
  await orNull(patch, 'NotFound', 'Invalid');
}
