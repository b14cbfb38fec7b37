/** The timeline that a controller serves of its cluster: reached by `kubectl port-forward`, opened by a link in its log. */
import { linkSignal } from '../../controller/link-signal.ts';
import type { WatchScope } from '../../controller/shared-informers.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import { followCluster } from '../../timeline/sources/follow-cluster.ts';
import { type ServedTimeline, serveTimeline } from '../ui/serve-timeline.ts';
import { newKey, newLink } from '../ui/timeline-link.ts';
import type { ListenAddress } from './listen-address.ts';

/** As long as the process at most, whose key is gone with it. */
const LINK_LASTS_MS = 31_536_000_000;

export interface ControllerTimelineOptions {
  readonly address: ListenAddress;
  readonly connection: KubeConnection;
  readonly scope: WatchScope;
  /** Told at the start, and of another link each time that one was used up: there is always one in the log. */
  readonly onLink: (link: string) => void;
  readonly signal: AbortSignal;
}

/** Rejects where the address is taken. */
export async function startTimeline(options: ControllerTimelineOptions): Promise<ServedTimeline> {
  const { address, connection, scope, onLink, signal } = options;
  const store = new BarStore({ clock: nodePlatform.clock });
  const key = newKey();
  const server = await serveTimeline({
    store,
    key,
    ...address,
    linkAdvice: "the controller's log has one",
    onOpened: () => {
      tellLink();
    },
  });
  // Whatever it listens on: this machine's own name for it, or that of a forwarded port.
  const tellLink = (): void => {
    onLink(newLink(`http://127.0.0.1:${server.port}`, key, { lastsMs: LINK_LASTS_MS }));
  };
  tellLink();
  const { namespace } = scope;
  const watched = namespace === undefined ? {} : { namespace };
  // Events are not among what a controller may read.
  const events = { podEvents: false, name: 'cluster' } as const;
  const following = linkSignal(signal);
  const about = { connection, store, signal: following.signal, ...watched, ...events };
  const { running } = followCluster(about);
  return {
    ...server,
    close: async () => {
      following.abort();
      await Promise.all([server.close(), running]);
      following.release();
    },
  };
}
