/** Reads the objects of one kind in the namespaces that the user may list. */
import type { KubeClient } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { ask, type Asked, type Right } from './asked.ts';

export interface Scope {
  readonly namespace: string;
  /** True: read only that namespace. False: read all namespaces, if the user may list them. */
  readonly isOnly: boolean;
}

export type Seen<T> = Asked<{
  readonly items: readonly T[];
  /** The missing cluster-wide right, if only one namespace was listed. */
  readonly onlyIn?: { readonly namespace: string; readonly right: Right };
}>;

export function itemsOf<T>(seen: Seen<T>): readonly T[] {
  return seen.kind === 'known' ? seen.value.items : [];
}

export async function listSeen<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  { namespace, isOnly }: Scope,
): Promise<Seen<T>> {
  const right = { verb: 'list', group: resource.group, resource: resource.plural };
  const inOne = (): Promise<Asked<{ items: readonly T[] }>> =>
    ask({ ...right, namespace }, () => client.list(resource, { namespace }));
  if (isOnly) return inOne();
  const all = await ask(right, () => client.list(resource));
  if (all.kind !== 'refused') return all;
  const one = await inOne();
  if (one.kind !== 'known') return one;
  return { kind: 'known', value: { items: one.value.items, onlyIn: { namespace, right } } };
}
