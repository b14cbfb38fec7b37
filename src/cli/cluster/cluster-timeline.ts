/**
 * The timeline of `lifehook up`. Its key is stored in the cluster's directory: the owner of the cluster can create a
 * link at any time, and cookies outlive a restart. It reuses its last port, so that permalinks outlive a restart too.
 */
import { join } from 'node:path';
import process from 'node:process';

import type { KubeConnection } from '../../kube/client.ts';
import { nodeFileTails } from '../../platform/file-tails.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import { followCluster } from '../../timeline/sources/follow-cluster.ts';
import { NodeSource, pollNews } from '../../timeline/sources/follow-node.ts';
import { clusterSources } from '../lifecycle-kinds.ts';
import { KEY_FILE, newKey, type ServedTimeline, serveTimeline } from '../ui/timeline-link.ts';

const { files, clock, timers } = nodePlatform;
const SECRET_MODE = 0o600;
const PORT_FILE = 'timeline.port';

export interface ClusterTimeline extends Pick<ServedTimeline, 'url' | 'close'> {
  /**
   * Reads the news of the cluster into the timeline until the signal aborts. Call it after Lifehook's kinds are
   * installed.
   */
  follow(signal: AbortSignal): Promise<void>;
}

export interface ClusterTimelineOptions {
  /** The state directory of the cluster. */
  readonly folder: string;
  readonly name: string;
  /** null: Lifehook's kinds are not installed in the cluster. */
  readonly connection: KubeConnection | null;
}

/** null: the timeline cannot be served; this is logged and does not stop the cluster. */
export async function openClusterTimeline(
  options: ClusterTimelineOptions,
): Promise<ClusterTimeline | null> {
  const { folder } = options;
  const store = new BarStore({ clock });
  try {
    const key = await keptKey(folder);
    const linkAdvice = '`lifehook status` makes one';
    const server = await listen(folder, { store, key, linkAdvice });
    await files.replace(join(folder, PORT_FILE), `${server.port}\n`, { mode: SECRET_MODE });
    return {
      url: server.url,
      close: () => server.close(),
      follow: (signal) => follow(options, store, signal),
    };
  } catch (error) {
    process.stderr.write(`warning: there is no timeline: ${String(error)}\n`);
    return null;
  }
}

async function follow(
  { folder, name, connection }: ClusterTimelineOptions,
  store: BarStore,
  signal: AbortSignal,
): Promise<void> {
  const tails = nodeFileTails;
  const node = new NodeSource({ store, tails, stateFolder: folder, name: `pods of ${name}` });
  const sources = Object.values(clusterSources);
  const kinds =
    connection === null
      ? null
      : followCluster({ connection, store, name: `cluster ${name}`, sources, signal });
  await Promise.all([pollNews(node, timers, signal), kinds?.running]);
}

async function listen(
  folder: string,
  options: Pick<Parameters<typeof serveTimeline>[0], 'store' | 'key' | 'linkAdvice'>,
): Promise<ServedTimeline> {
  const port = Number.parseInt((await textOf(join(folder, PORT_FILE))) ?? '0', 10);
  try {
    return await serveTimeline({ ...options, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    return serveTimeline({ ...options, port: 0 });
  }
}

async function keptKey(folder: string): Promise<string> {
  const path = join(folder, KEY_FILE);
  const known = (await textOf(path))?.trim();
  if (known !== undefined) return known;
  const key = newKey();
  await files.replace(path, `${key}\n`, { mode: SECRET_MODE });
  return key;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
