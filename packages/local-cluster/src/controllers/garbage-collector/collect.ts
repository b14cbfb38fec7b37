/**
 * Runs one reconcile of one object by the garbage collector.
 *
 * The graph may be stale, so the server is read before any change. Each change names the revision or uid that it was
 * decided on.
 */
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { isReason, orNull } from '../../../../../src/kube/api-error.ts';
import type { Json, KubeObject, OwnerReference } from '../../../../../src/kube/object.ts';
import { decideOwned, type OwnedDecision } from './decide.ts';
import { type OwnerGraph, FOREGROUND, type GraphNode, ORPHAN } from './graph.ts';
import {
  getLive,
  keyOfNode,
  type LiveOptions,
  ownerState,
  UnjudgedOwnerError,
} from './live-objects.ts';

export interface Collecting extends LiveOptions {
  readonly graph: OwnerGraph;
  /** Enqueues other objects for an early reconcile. */
  readonly enqueue: (uid: string) => void;
  /** Reports an owner reference to an object of another namespace. */
  readonly reportMisplaced: (node: GraphNode, reference: OwnerReference) => void;
}

export async function collect(uid: string, world: Collecting): Promise<Outcome> {
  const node = world.graph.get(uid);
  if (node === undefined) return done;
  try {
    if (node.orphaning) await orphanDependents(node, world);
    if (node.foreground) await endForeground(node, world);
    else if (!node.terminating) await judge(node, world);
  } catch (error) {
    if (error instanceof UnjudgedOwnerError && error.final) return done;
    // The object is already deleted or replaced; the watch reports that.
    if (isReason(error, 'NotFound')) return done;
    throw error;
  }
  return done;
}

async function orphanDependents(owner: GraphNode, world: Collecting): Promise<void> {
  for (const dependent of world.graph.dependentsOf(owner.uid)) {
    const live = await liveOf(dependent, world);
    const owners = live?.metadata?.ownerReferences ?? [];
    const rest = owners.filter(({ uid }) => uid !== owner.uid);
    if (live === null || rest.length === owners.length) continue;
    await orNull(
      patchMetadata(dependent, live, { world, metadata: { ownerReferences: rest } }),
      'NotFound',
    );
  }
  await dropFinalizer(owner, ORPHAN, world);
}

async function endForeground(owner: GraphNode, world: Collecting): Promise<void> {
  const blocking = world.graph.blocking(owner.uid);
  if (blocking.length === 0) {
    await dropFinalizer(owner, FOREGROUND, world);
    return;
  }
  for (const dependent of blocking) {
    if (!dependent.foreground) world.enqueue(dependent.uid);
  }
}

async function judge(node: GraphNode, world: Collecting): Promise<void> {
  for (const reference of world.graph.misplaced(node)) world.reportMisplaced(node, reference);
  const live = await liveOf(node, world);
  if (live === null) return;
  const { ownerReferences = [], finalizers = [] } = live.metadata ?? {};
  const owners = await Promise.all(
    ownerReferences.map(async (reference) => ({
      reference,
      state: await ownerState(world, reference, node.namespace),
    })),
  );
  const dependents = world.graph.dependentsOf(node.uid);
  const decision = decideOwned({
    owners,
    finalizers,
    hasDependents: dependents.length > 0,
    dependentWaits: dependents.some(({ foreground }) => foreground),
  });
  await carryOut(node, live, { decision, world });
}

async function carryOut(
  node: GraphNode,
  live: KubeObject,
  { decision, world }: { readonly decision: OwnedDecision; readonly world: Collecting },
): Promise<void> {
  switch (decision.kind) {
    case 'keep':
      return;
    case 'rewrite':
      await patchMetadata(node, live, {
        world,
        metadata: { ownerReferences: [...decision.owners] },
      });
      return;
    case 'delete': {
      const held = decision.unblock ? await unblock(node, live, world) : live;
      const { uid = '', resourceVersion = '' } = held.metadata ?? {};
      await world.client.delete(node.resource, keyOfNode(node), {
        propagationPolicy: decision.policy,
        // The revision is a precondition too: an owner that was added meanwhile must keep the object.
        preconditions: { uid, resourceVersion },
        signal: world.signal,
      });
      return;
    }
    default:
      decision satisfies never;
  }
}

/**
 * Clears blockOwnerDeletion, so that the owners do not wait for this object. That breaks a cycle of foreground
 * deletions.
 */
function unblock(node: GraphNode, live: KubeObject, world: Collecting): Promise<KubeObject> {
  const ownerReferences = (live.metadata?.ownerReferences ?? []).map((reference) => ({
    ...reference,
    blockOwnerDeletion: false,
  }));
  return patchMetadata(node, live, { world, metadata: { ownerReferences } });
}

async function dropFinalizer(node: GraphNode, finalizer: string, world: Collecting): Promise<void> {
  const live = await liveOf(node, world);
  const finalizers = live?.metadata?.finalizers ?? [];
  if (live === null || !finalizers.includes(finalizer)) return;
  const rest = finalizers.filter((other) => other !== finalizer);
  await patchMetadata(node, live, { world, metadata: { finalizers: rest } });
}

interface MetadataPatch {
  readonly world: Collecting;
  readonly metadata:
    | { readonly ownerReferences: OwnerReference[] }
    | { readonly finalizers: string[] };
}

function patchMetadata(
  node: GraphNode,
  live: KubeObject,
  { world, metadata }: MetadataPatch,
): Promise<KubeObject> {
  const { uid = null, resourceVersion = null } = live.metadata ?? {};
  const body = { metadata: { ...metadata, uid, resourceVersion } } as unknown as Json;
  return world.client.patch(node.resource, keyOfNode(node), {
    type: 'merge',
    body,
    signal: world.signal,
  });
}

/** Reads the object from the server; null if it was deleted or if another object has its name. */
async function liveOf(node: GraphNode, world: Collecting): Promise<KubeObject | null> {
  const live = await getLive(world, node.resource, keyOfNode(node));
  return live?.metadata?.uid === node.uid ? live : null;
}
