/**
 * The timeline of a controller's cluster: reached by `kubectl port-forward`, and opened by a link in the controller's
 * log. A link is valid for a short time. A request without a cookie gets a hint to look in the log, where a new link is
 * logged at that moment.
 */
import type { WatchScope } from '../../controller/shared-informers.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { LinkedSignal } from '../../platform/linked-signal.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { TcpAddress } from '../../platform/tcp-listener.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import { followCluster } from '../../timeline/sources/follow-cluster.ts';
import { clusterSources, eventSources } from '../lifecycle-kinds.ts';
import { newKey, newLink, type ServedTimeline, serveTimeline } from '../ui/timeline-link.ts';

/** Milliseconds between two logged links, so that repeated requests do not fill the log. */
const LINK_EVERY_MS = 5_000;

export interface ControllerTimelineOptions {
  readonly address: TcpAddress;
  readonly connection: KubeConnection;
  readonly scope: WatchScope;
  /** Shown to a client without a cookie: where to find a link. */
  readonly linkAdvice: string;
  /** Called at the start, and at a request without a cookie. */
  readonly onLink: (link: string) => void;
  readonly signal: AbortSignal;
}

/** Rejects if the address is in use. */
export async function startTimeline(options: ControllerTimelineOptions): Promise<ServedTimeline> {
  const { address, connection, scope, linkAdvice, onLink, signal } = options;
  const { clock } = nodePlatform;
  const store = new BarStore({ clock });
  const key = newKey();
  let reportedMs = Number.NEGATIVE_INFINITY;
  const reportLink = (host: string): void => {
    if (clock.nowMs() < reportedMs + LINK_EVERY_MS) return;
    reportedMs = clock.nowMs();
    onLink(newLink(`http://${host}`, key));
  };
  // A request without a cookie shows the forwarded port, which the link needs.
  const about = { store, key, ...address, linkAdvice, onStranger: reportLink };
  const server = await serveTimeline(about);
  onLink(newLink(`http://127.0.0.1:${server.port}`, key));
  const { namespace } = scope;
  const watched = namespace === undefined ? {} : { namespace };
  const following = new LinkedSignal(signal);
  const { running } = followCluster({
    connection,
    store,
    name: 'cluster',
    ...watched,
    sources: [...Object.values(clusterSources), ...Object.values(eventSources)],
    signal: following,
  });
  return {
    ...server,
    close: async () => {
      following.abort();
      await Promise.all([server.close(), running]);
      following.release();
    },
  };
}

/**
 * Clause about where to find a link. `pod`: the pod that serves the timeline; null: the controller runs outside of the
 * cluster.
 */
export function linkAdviceOf(pod: { namespace: string; name: string } | null): string {
  if (pod === null) return 'the log of this controller has one';
  const { namespace, name } = pod;
  return `\`kubectl -n ${namespace} logs ${name} | grep '"Timeline"' | tail -1\` shows one`;
}
