/** One watcher behind one proxy, next to a client that calls the server directly. */
import type { ConfigMap } from 'kubernetes-types/core/v1.js';

import type { KubeClient, KubeConnection } from '../../src/kube/client.ts';
import type { ListWatchOptions } from '../../src/kube/list-watch.ts';
import type { Resource } from '../../src/kube/object.ts';
import { configMaps } from '../../src/kube/resources.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { type FaultSource, seededRandom } from './fault-dice.ts';
import { FaultProxy } from './fault-proxy.ts';
import { WatchedView } from './watched-view.ts';

export interface WatchWorld {
  readonly proxy: FaultProxy;
  readonly view: WatchedView;
  readonly end: () => Promise<void>;
}

export interface WatchWorldOptions {
  readonly server: NodeTransportOptions;
  readonly faults: FaultSource;
  readonly seed: number;
  readonly watch: Omit<ListWatchOptions, 'signal'>;
  /** Kind of the watched objects; default: ConfigMaps. */
  readonly resource?: Resource;
}

/** Detects a stalled watch within about two seconds. */
const QUICK = { watchSeconds: 1, stallMarginMs: 700, pageSize: 3 };

export async function startWatchWorld(options: WatchWorldOptions): Promise<WatchWorld> {
  const proxy = await FaultProxy.start(options.server, options.faults);
  const connection: KubeConnection = {
    transport: nodeHttpTransport({ server: proxy.url }),
    platform: nodePlatform,
    userAgent: 'lifehook-test',
    random: seededRandom(options.seed),
  };
  const view = new WatchedView(connection, options.resource ?? configMaps, {
    ...QUICK,
    ...options.watch,
  });
  return {
    proxy,
    view,
    end: async () => {
      await view.stop();
      connection.transport.close();
      proxy.close();
    },
  };
}

/** Pairs of name and resourceVersion, sorted by name. */
export async function listedView(
  client: KubeClient,
  { namespace, labelSelector }: { namespace: string; labelSelector?: string | undefined },
  resource: Resource = configMaps,
): Promise<[string, string][]> {
  const options = labelSelector === undefined ? { namespace } : { namespace, labelSelector };
  const { items } = await client.list(resource, options);
  return items
    .map(({ metadata }): [string, string] => [
      metadata?.name ?? '',
      metadata?.resourceVersion ?? '',
    ])
    .toSorted(byName);
}

export function viewOf({ objects }: WatchedView): [string, string][] {
  return [...objects].toSorted(byName);
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}

/** Creates, changes, labels, unlabels or deletes one object. */
export async function writeSomething(
  client: KubeClient,
  namespace: string,
  random: () => number,
): Promise<void> {
  const name = `object-${Math.floor(random() * 12)}`;
  const kind = random();
  const object: ConfigMap = {
    metadata: { name, namespace, labels: { on: random() < 0.7 ? 'yes' : 'no' } },
    data: { random: String(random()) },
  };
  if (kind < 0.3) await client.delete(configMaps, { namespace, name }).catch(() => null);
  else await client.apply(configMaps, object, { fieldManager: 'writer', force: true });
}
