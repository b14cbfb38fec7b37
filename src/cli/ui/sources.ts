/** Where `lifehook ui` looks: what was asked for, and what is there on this machine. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';

import { nodeFileTails } from '../../platform/file-tails.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { followCluster } from '../../timeline/sources/follow-cluster.ts';
import { NodeSource } from '../../timeline/sources/follow-node.ts';
import { ProjectSource } from '../../timeline/sources/follow-project.ts';
import { readRunning, type RunningCluster, stateFolderOf } from '../cluster/cluster-state.ts';
import { connectToKube } from '../kube-connection.ts';
import { loadParts, timelineSources } from '../lifecycles.ts';
import { processTableOf } from '../pipeline/session-folder.ts';
import { requireFolder } from '../require-folder.ts';
import { type Opening, type OpenSource, polled, type SourceOptions } from './open-source.ts';

const { files } = nodePlatform;

export async function openSources(options: SourceOptions, opening: Opening): Promise<OpenSource[]> {
  const found = [
    projectOf(options, opening),
    ...(await loadParts(timelineSources)).map((part) => part.timelineSource(options, opening)),
    ...(await clusterOf(options, opening)),
  ];
  return found.filter((source) => source !== null);
}

function projectOf({ project }: SourceOptions, opening: Opening): OpenSource | null {
  const folder = project === undefined ? resolve('.') : requireFolder('--project', project);
  const isOne = ['.lifehook', 'skaffold.yaml'].some((name) => existsSync(join(folder, name)));
  if (project === undefined && !isOne) return null;
  const { store } = opening;
  const name = `project ${basename(folder)}`;
  const stateFolder = join(folder, '.lifehook');
  const processes = processTableOf(process.platform);
  const where = { stateFolder, name, processes };
  return polled(name, new ProjectSource({ store, files, tails: nodeFileTails, ...where }), opening);
}

async function clusterOf(options: SourceOptions, opening: Opening): Promise<OpenSource[]> {
  const { cluster } = options;
  if (cluster === false) return [];
  const stateFolder = stateFolderOf({ ...options, cluster });
  const local = await readRunning(stateFolder);
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
  const follow = { connection, store, name, podEvents: !isLocal, signal, ...scope };
  const { listed, running } = followCluster(follow);
  const ofCluster = { name, listed: () => listed, running: () => running.finally(close) };
  if (!isLocal) return [ofCluster];
  const nodeName = `pods of ${name}`;
  const node = new NodeSource({ store, tails: nodeFileTails, stateFolder, name: nodeName });
  return [ofCluster, polled(nodeName, node, opening)];
}

/**
 * What was asked for; else the local cluster, if it runs; else that of kubectl, if it has one. null: there is none, which
 * is nothing wrong where no cluster was asked for.
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
