/**
 * Runs the local cluster in this process until a signal arrives: opens its state, starts its parts, listens, and
 * reports that it is ready. A signal also stops the cluster's containers; a `kill -9` leaves them running.
 */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import {
  apiService,
  ensureKubernetesService,
  type ImageStore,
  kubeconfigText,
  type LocalCluster,
  type PodWorkers,
  startLocalCluster,
  TokenBook,
} from '../../../packages/local-cluster/src/index.ts';
import { DEFAULT_GATES } from '../../model/feature-gates.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import type { ContainerRuntime } from '../../platform/container-runtime.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { whenAborted } from '../../platform/linked-signal.ts';
import { serverCertificates } from '../../platform/node-certificates.ts';
import { nodeFileTails } from '../../platform/file-tails.ts';
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeRandomness } from '../../platform/randomness.ts';
import { nodeTrees } from '../../platform/trees.ts';
import { nodeWebhookCall } from '../../platform/node-webhook-call.ts';
import { nodeInflating } from '../../platform/inflating.ts';
import { nodeTcpConnecting, nodeTcpForwarding } from '../../platform/tcp-listener.ts';
import type { WebhookCall } from '../../platform/webhook-call.ts';
import type { WriterLock } from '../../store/writer-lock.ts';
import { LifehookError } from '../../model/problem.ts';
import { shellWords } from '../../model/shell-words.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { imageStoreOf } from '../image-store-of.ts';
import { version } from '../version.ts';
import { awaitOwnWebhook } from './await-own-webhook.ts';
import { markStopping, removeRunning, writeRunning } from './cluster-state.ts';
import { type ClusterTimeline, openClusterTimeline } from './cluster-timeline.ts';
import { endContainers, takeEnded, writeEnded } from './end-containers.ts';
import { openPodWorkers, openRuntimes } from './runners.ts';
import { holdState, isStateInUse } from './hold-state.ts';
import { installKinds } from './serve-controllers.ts';
import { IN_USE, READY, sayToStarter } from './start-in-background.ts';
import type { UpOptions } from './up.ts';

const HOST = '127.0.0.1';
const SECRET_MODE = 0o600;
const TOKEN_BYTES = 32;
const MAX_LISTENERS = 10_000;
const { files, clock } = nodePlatform;

export async function serveCluster(folder: string, options: UpOptions): Promise<number> {
  // Every controller and cache listens to the one stop signal, but Node warns above ten listeners.
  setMaxListeners(MAX_LISTENERS);
  const stop = cancelOnSignals();
  const state = await hold(folder);
  const gates = options.nodeFeatureGates ?? DEFAULT_GATES;
  const sleepEnabled = gates.PodLifecycleSleepAction;
  const pods = { platform: nodePlatform, stateFolder: folder, sleepEnabled };
  const [certificates, adminToken, runtimes, images, endedByUs, podWorkers] = await Promise.all([
    serverCertificates({ files, folder: join(folder, 'tls'), nowMs: clock.nowMs() }),
    keptToken(folder),
    openRuntimes(folder, options.runner),
    imageStoreOf(folder),
    takeEnded(folder),
    openPodWorkers(pods),
  ]);
  const tokens = new TokenBook({ clock, randomness: nodeRandomness, adminToken });
  const { key, certificate, authority } = certificates;
  const webhook = awaitOwnWebhook(nodeWebhookCall());
  if (!options.controllers) webhook.settle();
  const found = { runtimes, images, endedByUs, podWorkers, webhookCall: webhook.call };
  const cluster = await startCluster({ folder, options, tokens, authority, ...found });
  try {
    const service = apiService(cluster.api, tokens);
    const server = await listen({ service, key, certificate }, folder, options.port);
    const timeline = await openTimeline(folder, options, cluster);
    const about = { folder, options, cluster, authority, token: adminToken, timeline };
    await announce(server, about);
    const showing = timeline?.follow(stop);
    const controlling = options.controllers ? control(cluster, stop, webhook.settle) : null;
    await Promise.race([whenAborted(stop), cluster.running]);
    await markStopping(folder);
    await Promise.all([controlling, showing]);
    await Promise.all([timeline?.close(), server.close()]);
  } finally {
    await cluster.stop();
    await podWorkers.close();
    await writeEnded(folder, await endContainers(runtimes));
    await removeRunning(folder);
    await state.release();
  }
  return exitCodes.done;
}

function openTimeline(
  folder: string,
  { cluster: name, controllers }: UpOptions,
  { connection }: LocalCluster,
): Promise<ClusterTimeline | null> {
  return openClusterTimeline({ folder, name, connection: controllers ? connection : null });
}

/** Runs Lifehook's controllers, over a connection within the process. */
async function control(
  { connection }: LocalCluster,
  signal: AbortSignal,
  onWebhook: () => void,
): Promise<void> {
  const { serveControllers } = await import('./serve-controllers.ts');
  await serveControllers({ connect: () => connection, signal, onWebhook });
}

async function hold(folder: string): Promise<WriterLock> {
  try {
    return await holdState(folder);
  } catch (error) {
    if (isStateInUse(error)) sayToStarter(IN_USE);
    throw error;
  }
}

interface Announcing {
  readonly folder: string;
  readonly options: UpOptions;
  readonly cluster: LocalCluster;
  readonly authority: string;
  readonly token: string;
  readonly timeline: ClusterTimeline | null;
}

/** Writes the files with the cluster's addresses, and then reports that the cluster is ready. */
async function announce(
  { port, url: server }: HttpServer,
  { folder, options, cluster, authority, token, timeline }: Announcing,
): Promise<void> {
  const address = { host: HOST, port, serviceIp: cluster.serviceIp };
  const client = makeKubeClient(cluster.connection);
  const kubeconfig = join(folder, 'kubeconfig');
  const name = `lifehook-${options.cluster}`;
  const text = kubeconfigText({ name, server, authority, token });
  await Promise.all([
    files.replace(kubeconfig, text, { mode: SECRET_MODE }),
    files.replace(join(folder, 'port'), `${port}\n`, { mode: SECRET_MODE }),
    ensureKubernetesService(client, address),
    options.controllers ? installKinds(client) : null,
  ]);
  const startedAt = new Date().toISOString();
  const shown = timeline === null ? {} : { timeline: timeline.url };
  await writeRunning(folder, { server, kubeconfig, startedAt, ...shown });
  if (sayToStarter(READY)) return;
  process.stdout.write(
    `The cluster is up: ${server}\n  export KUBECONFIG=${shellWords([kubeconfig])}\nPress Ctrl-C to stop it.\n`,
  );
}

interface Starting {
  readonly folder: string;
  readonly options: UpOptions;
  readonly tokens: TokenBook;
  readonly runtimes: ReadonlyMap<string, ContainerRuntime>;
  readonly images: ImageStore;
  readonly authority: string;
  readonly endedByUs: ReadonlySet<string>;
  readonly webhookCall: WebhookCall;
  readonly podWorkers: PodWorkers;
}

async function startCluster({
  folder,
  options,
  tokens,
  runtimes,
  images,
  authority,
  endedByUs,
  webhookCall,
  podWorkers,
}: Starting): Promise<LocalCluster> {
  return startLocalCluster({
    platform: nodePlatform,
    randomness: nodeRandomness,
    forwarding: nodeTcpForwarding,
    connecting: nodeTcpConnecting,
    inflating: nodeInflating,
    tails: nodeFileTails,
    trees: nodeTrees,
    tokens,
    stateFolder: folder,
    node: {
      name: 'lifehook',
      hostIp: HOST,
      operatingSystem: process.platform,
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      cpus: cpus().length,
      memoryBytes: totalmem(),
      runtimeVersion: `${runtimes.get('')?.name ?? 'process'}://${version}`,
    },
    runtimes,
    endedByUs,
    webhookCall,
    resolveImage: (reference) => images.resolve(reference),
    oneLoopbackAddress: process.platform !== 'linux',
    apiServerGates: options.apiserverFeatureGates ?? DEFAULT_GATES,
    podWorkers,
    endpointDelayMs: options.endpointDelay,
    authority,
  });
}

/** The token of the administrator. It is the same after every start, so that a copied kubeconfig stays valid. */
async function keptToken(folder: string): Promise<string> {
  const path = join(folder, 'token');
  try {
    return (await files.read(path)).trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  await files.replace(path, `${token}\n`, { mode: SECRET_MODE });
  return token;
}

type Listening = Omit<Parameters<typeof nodeHttpServer>[0], 'port'>;

/** Uses the port of the last run if no port is requested, so that kubeconfigs stay valid. */
async function listen(listening: Listening, folder: string, port: number): Promise<HttpServer> {
  const path = join(folder, 'port');
  return port === 0 ? listenAgain(listening, path) : listenThere(listening, port);
}

async function listenThere(listening: Listening, port: number): Promise<HttpServer> {
  try {
    return await nodeHttpServer({ ...listening, port });
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'needs root' : 'is in use by another program';
    throw new LifehookError(
      {
        code: 'LHA107',
        message: `The API server cannot listen on ${HOST}:${port}: that port ${why}.`,
        next: 'choose another --port, or leave --port out for any free port.',
      },
      { cause: error },
    );
  }
}

async function listenAgain(listening: Listening, path: string): Promise<HttpServer> {
  try {
    const port = Number.parseInt(await files.read(path), 10);
    return await nodeHttpServer({ ...listening, port });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EADDRINUSE') throw error;
    return nodeHttpServer({ ...listening, port: 0 });
  }
}
