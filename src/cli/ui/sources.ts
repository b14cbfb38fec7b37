/** The sources of `lifehook ui`: those that its options select, and those of this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { nodeFileTails } from '../../platform/file-tails.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { BarStore } from '../../timeline/bar-store.ts';
import { followCluster } from '../../timeline/sources/follow-cluster.ts';
import { NodeSource, pollNews } from '../../timeline/sources/follow-node.ts';
import { readRunning, type RunningCluster, stateFolderIfAny } from '../cluster/cluster-state.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { clusterSources, eventSources } from '../lifecycle-kinds.ts';
import { loadParts, timelineSources } from '../lifecycles.ts';

export async function openSources(options: SourceOptions, opening: Opening): Promise<OpenSource[]> {
  const found = [
    ...(await loadParts(timelineSources)).map((part) => part.timelineSource(options, opening)),
    ...(await clusterOf(options, opening)),
  ];
  return found.filter((source) => source !== null);
}

async function clusterOf(options: SourceOptions, opening: Opening): Promise<OpenSource[]> {
  const { cluster } = options;
  if (cluster === false) return [];
  // '': the user has no home directory, and therefore no local cluster.
  const stateFolder = stateFolderIfAny({ ...options, cluster }) ?? '';
  const local = await localClusterIn(stateFolder);
  const kubeconfig = chosenKubeconfig(options, local);
  if (kubeconfig === null) return [];
  const { connection, server, context, close } = await connectToKube(
    { ...options, ...kubeconfig },
    'ui',
  );
  const isLocal = server === local?.server;
  const name = `cluster ${context?.name ?? server}`;
  const { store, signal } = opening;
  const scope = options.namespace === undefined ? {} : { namespace: options.namespace };
  const events = isLocal ? [] : Object.values(eventSources);
  const sources = [...Object.values(clusterSources), ...events];
  const follow = { connection, store, name, sources, signal, ...scope };
  const { listed, running } = followCluster(follow);
  const ofCluster = { name, listed: () => listed, running: () => running.finally(close) };
  if (!isLocal) return [ofCluster];
  const nodeName = `pods of ${name}`;
  const node = new NodeSource({ store, tails: nodeFileTails, stateFolder, name: nodeName });
  return [ofCluster, polled(nodeName, node, opening)];
}

async function localClusterIn(stateFolder: string): Promise<RunningCluster | null> {
  return stateFolder === '' ? null : readRunning(stateFolder);
}

/**
 * The kubeconfig of --kubeconfig, --context or KUBECONFIG; else that of the local cluster if it runs; else that of
 * kubectl if it exists. null: none of the three exists, so no cluster is read.
 */
function chosenKubeconfig(
  { kubeconfig, context }: SourceOptions,
  local: RunningCluster | null,
): { readonly kubeconfig?: string } | null {
  const { env } = process;
  const isAsked = [kubeconfig, context, env['KUBECONFIG']].some((one) => (one ?? '') !== '');
  if (isAsked) return {};
  if (local !== null) return { kubeconfig: local.kubeconfig };
  const home = env['HOME'] ?? '';
  return home !== '' && existsSync(join(home, '.kube', 'config')) ? {} : null;
}

/** The options of `lifehook ui` and `lifehook runs`. */
export interface SourceOptions extends KubeOptions {
  readonly project?: string;
  /** Name of the local cluster; false: read no cluster. */
  readonly cluster: string | false;
  readonly stateDir?: string;
  readonly records?: string;
}

/** A source of spans for the timeline. */
export interface OpenSource {
  readonly name: string;
  /** Resolves when every existing run has been read. */
  readonly listed: () => Promise<void>;
  /** Follows the source until the signal aborts. */
  readonly running: () => Promise<void>;
}

export interface Opening {
  readonly store: BarStore;
  readonly signal: AbortSignal;
}

/** A timeline source that polls files. */
export function polled(
  name: string,
  source: { readonly readNews: () => Promise<void> },
  { signal }: Opening,
): OpenSource {
  return {
    name,
    listed: () => source.readNews(),
    running: () => pollNews(source, nodePlatform.timers, signal),
  };
}
