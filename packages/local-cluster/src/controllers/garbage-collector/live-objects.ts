/** Reads objects from the server: the graph may be stale. */
import { ApiError } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import {
  groupOf,
  type KubeObject,
  type ObjectKey,
  type OwnerReference,
  type Resource,
} from '../../../../../src/kube/object.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import type { CancelSignal } from '../../../../../src/platform/platform.ts';
import type { ServedKind } from '../discovery/served-kinds.ts';
import { type OwnerState } from './decide.ts';
import { FOREGROUND, type GraphNode } from './graph.ts';

export interface LiveOptions {
  readonly client: KubeClient;
  readonly kinds: () => readonly ServedKind[];
  readonly signal: CancelSignal;
}

export function keyOfNode({ namespace, name }: Pick<GraphNode, 'namespace' | 'name'>): ObjectKey {
  return namespace === '' ? { name } : { namespace, name };
}

/** Returns null if no object has this name. Throws if the kind is not served: then the object may still exist. */
export async function getLive(
  { client, signal }: LiveOptions,
  resource: Resource,
  key: ObjectKey,
): Promise<KubeObject | null> {
  try {
    return await client.get(resource, key, { signal });
  } catch (error) {
    if (isAbsence(error, key.name)) return null;
    throw error;
  }
}

/** True if the object is missing: the 404 names the object. The 404 of a path that is not served names no object. */
export function isAbsence(error: unknown, name: string): boolean {
  return error instanceof ApiError && error.code === 404 && error.status.details?.name === name;
}

/** The existence of an owner cannot be determined, so nothing is decided about the object. */
export class UnjudgedOwnerError extends Error {
  /** True if a retry cannot help. */
  readonly final: boolean;

  constructor(reference: OwnerReference, { why, final }: { why: string; final: boolean }) {
    super(`the owner ${reference.kind} ${reference.name} (${reference.apiVersion}) ${why}`);
    this.name = 'UnjudgedOwnerError';
    this.final = final;
  }
}

export async function ownerState(
  options: LiveOptions,
  reference: OwnerReference,
  dependentNamespace: string,
): Promise<OwnerState> {
  const resource = resourceOf(options.kinds(), reference);
  if (resource === undefined) {
    throw new UnjudgedOwnerError(reference, {
      why: 'is of a kind that is not served',
      final: false,
    });
  }
  if (resource.namespaced && dependentNamespace === '') {
    const why = 'is namespaced, but its dependent is cluster-scoped';
    throw new UnjudgedOwnerError(reference, { why, final: true });
  }
  const namespace = resource.namespaced ? dependentNamespace : '';
  const key = keyOfNode({ namespace, name: reference.name });
  return stateOf(await getOwner(options, resource, { key, reference }), reference);
}

async function getOwner(
  options: LiveOptions,
  resource: Resource,
  { key, reference }: { readonly key: ObjectKey; readonly reference: OwnerReference },
): Promise<KubeObject | null> {
  try {
    return await getLive(options, resource, key);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
    throw new UnjudgedOwnerError(reference, {
      why: `cannot be read: ${errorText(error)}`,
      final: false,
    });
  }
}

function stateOf(owner: KubeObject | null, { uid }: OwnerReference): OwnerState {
  const { metadata = {} } = owner ?? {};
  if (owner === null || metadata.uid !== uid) return 'dangling';
  const waits =
    metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FOREGROUND) === true;
  return waits ? 'waiting' : 'solid';
}

/** Finds the kind by its group, because the version in a reference may no longer be served. */
function resourceOf(
  kinds: readonly ServedKind[],
  { apiVersion, kind }: OwnerReference,
): Resource | undefined {
  const group = groupOf(apiVersion);
  return kinds.find(({ resource }) => resource.kind === kind && resource.group === group)?.resource;
}
