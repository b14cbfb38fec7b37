import type { KubeConnection } from '../kube/client.ts';
import { listWatch } from '../kube/list-watch.ts';
import type { WatchAny } from './shared-informers.ts';

export function watchCluster(connection: KubeConnection): WatchAny {
  return ({ resource, scope, signal }) => listWatch(connection, resource, { ...scope, signal });
}
