/** Lists the objects that an uninstall has to end. */
import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';

/** Absent: all namespaces. */
export interface StandingScope {
  readonly namespace?: string;
}

/** Empty if the server does not know the kind, as after half of an uninstall. */
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
