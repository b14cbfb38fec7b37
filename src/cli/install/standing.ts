/**
 * Parts that the lifecycles share for listing the objects that have to end before an uninstall can delete the kinds.
 */
import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';

/** The namespace to read; absent: all namespaces. */
export interface StandingScope {
  readonly namespace?: string;
}

/** The objects of a kind; empty if the server does not know the kind, for example after an interrupted uninstall. */
export async function listOrNone<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  scope: StandingScope & { readonly labelSelector?: string },
): Promise<readonly T[]> {
  return (await orNull(client.list(resource, scope), 'NotFound'))?.items ?? [];
}

/** Example: "shop/db-0" */
export function nameOf({ metadata }: KubeObject): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
