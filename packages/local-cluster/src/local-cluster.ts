/**
 * Assembles the local cluster: store, API server, controllers, node and service proxy.
 *
 * It is `lifehook up` without the command line and without a socket. Parts start in the order of their dependencies,
 * and stop in reverse. Stopping the cluster stops no container.
 */
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

import { EventRecorder } from '../../../src/controller/event-recorder.ts';
import { runManager } from '../../../src/controller/manager.ts';
import { SharedInformers } from '../../../src/controller/shared-informers.ts';
import { watchCluster } from '../../../src/controller/watch-cluster.ts';
import type { KubeConnection } from '../../../src/kube/client.ts';
import { makeKubeClient } from '../../../src/kube/make-client.ts';
import { endpoints, pods, services } from '../../../src/kube/resources.ts';
import type { ContainerRuntime } from '../../../src/platform/container-runtime.ts';
import type { Inflating } from '../../../src/platform/inflating.ts';
import type { Platform } from '../../../src/platform/platform.ts';
import type { Randomness } from '../../../src/platform/randomness.ts';
import type { FileTails } from '../../../src/platform/file-tails.ts';
import type { Trees } from '../../../src/platform/trees.ts';
import type { TcpConnecting, TcpForwarding } from '../../../src/platform/tcp-listener.ts';
import type { WebhookCall } from '../../../src/platform/webhook-call.ts';
import { kubernetesServiceIp } from './api/allocate.ts';
import { ensureNamespaces } from './api/default-objects.ts';
import type { ApiServer } from './api/http.ts';
import { openApiServer } from './api/open-api-server.ts';
import type { TokenBook } from './api/tokens.ts';
import { builtinControllers } from './controllers/builtin.ts';
import { type AddressRange, holdAddressRange } from './node/address-range.ts';
import { followSources } from './node/sources.ts';
import { LocalNode } from './node/node.ts';
import { renewNodeLease, type NodeFacts, registerNode } from './node/node-object.ts';
import { podStreams } from './node/pod-streams.ts';
import type { LifeContext } from './node/pod-life.ts';
import type { PodWorkers } from './node/pod-worker.ts';
import type { PrepareOptions } from './node/prepare.ts';
import { ServiceProxy } from './node/service-proxy.ts';
import type { FeatureGates } from '../../../src/model/feature-gates.ts';
import { runSnapshotter } from './snapshots/snapshotter.ts';

export interface LocalClusterOptions {
  readonly platform: Platform;
  readonly randomness: Randomness;
  readonly forwarding: TcpForwarding;
  readonly connecting: TcpConnecting;
  readonly inflating: Inflating;
  readonly tails: FileTails;
  readonly trees: Trees;
  readonly tokens: TokenBook;
  /** Directory of all files of the cluster. */
  readonly stateFolder: string;
  readonly node: Omit<NodeFacts, 'nowMs'>;
  /** Container runtimes by `spec.runtimeClassName`; '' is the default one. */
  readonly runtimes: ReadonlyMap<string, ContainerRuntime>;
  /** Ids of the containers that the CLI killed when it last stopped the cluster. */
  readonly endedByUs: ReadonlySet<string>;
  /** Calls webhooks; it is closed with the cluster. */
  readonly webhookCall: WebhookCall;
  readonly resolveImage: PrepareOptions['resolveImage'];
  readonly oneLoopbackAddress: boolean;
  readonly apiServerGates: FeatureGates;
  readonly endpointDelayMs: number;
  /** CA certificate of the API server in PEM, for the pods; absent if the API server is not served over TLS. */
  readonly authority?: string;
  /** Workers that run the containers of each pod; the caller closes them after the cluster has stopped. */
  readonly podWorkers: PodWorkers;
}

export interface LocalCluster {
  readonly api: ApiServer;
  /** Connection inside this process, as cluster administrator. */
  readonly connection: KubeConnection;
  /** Cluster IP at which pods reach the API server. */
  readonly serviceIp: string;
  /** Rejects when a part fails; resolves after `stop`. */
  readonly running: Promise<void>;
  /** Stops all parts, also after one has failed. */
  stop(): Promise<void>;
}

export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  const { files } = options.platform;
  const range = await holdAddressRange({ ...options, files, shared: options.oneLoopbackAddress });
  return orUndo(
    () => startIn(options, range),
    () => range.release(),
  );
}

async function startIn(options: LocalClusterOptions, range: AddressRange): Promise<LocalCluster> {
  const { platform, randomness, tokens, inflating, webhookCall, stateFolder } = options;
  const server = await openApiServer({
    platform,
    randomness,
    tokens,
    inflating,
    webhookCall,
    folder: `${stateFolder}/api`,
    gates: options.apiServerGates,
    serviceRange: range.services,
    podStreams: podStreams({ ...options, timers: platform.timers }),
  });
  const { api, transport } = server;
  const connection: KubeConnection = {
    transport,
    platform,
    userAgent: 'lifehook',
    random: () => randomness.below(1_000_000) / 1_000_000,
  };
  const parts = await orUndo(
    async () => {
      await ensureNamespaces(makeKubeClient(connection));
      return startParts({ ...options, podRange: range.pods }, connection);
    },
    () => server.close(),
  );
  return {
    api,
    connection,
    serviceIp: kubernetesServiceIp(range.services),
    running: parts.running,
    stop: async () => {
      await parts.stop();
      await server.close();
      await range.release();
    },
  };
}

async function orUndo<T>(start: () => Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await undo();
    throw error;
  }
}

type PartOptions = LocalClusterOptions & { readonly podRange: string };

interface Parts {
  readonly running: Promise<void>;
  stop(): Promise<void>;
}

async function startParts(options: PartOptions, connection: KubeConnection): Promise<Parts> {
  const { platform, stateFolder } = options;
  const { random } = connection;
  const client = makeKubeClient(connection);
  const recorder = new EventRecorder({ client, component: 'lifehook', platform, random });
  const informers = new SharedInformers({ watch: watchCluster(connection) });
  const controllers = builtinControllers({
    client,
    informers,
    recorder,
    platform,
    random,
    stateFolder,
    ...(options.authority === undefined ? {} : { authority: options.authority }),
  });
  const host = options.node.name;
  const proxy = new ServiceProxy({
    ...options,
    services: informers.of(services),
    endpoints: informers.of(endpoints),
    timers: platform.timers,
    recorder: recorder.as({ component: 'kube-proxy', host }),
    nodeHost: options.node.hostIp,
  });
  const kubelet = recorder.as({ component: 'kubelet', host });
  const node = makeNode(options, { client, recorder: kubelet, random, informers });
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = runManager({ informers, controllers, election: null, signal });
  const stop = async (parts: readonly Promise<void>[]): Promise<void> => {
    node.stop();
    await proxy.stop();
    await recorder.stop();
    stopping.abort();
    // `running` reports a failure.
    await Promise.allSettled(parts);
  };
  const startNode = async (): Promise<Node> => {
    const facts = { ...options.node, nowMs: platform.clock.nowMs() };
    const object = await registerNode(client, facts);
    await node.start();
    return object;
  };
  const registered = await orUndo(
    () => whileRunning(running, startNode()),
    () => stop([running]),
  );
  proxy.start();
  const { watch } = informers;
  const cutting = recorder.as({ component: 'snapshot-controller' });
  const world = { client, platform, random, watch, signal };
  const all = [
    running,
    runSnapshotter({ ...world, recorder: cutting, election: null }),
    followSources(watch, node, signal),
    renewNodeLease({ client, platform, node: registered }, signal),
  ];
  return { running: together(all), stop: () => stop(all) };
}

/** Rejects if the controllers fail before the work is done: their caches never sync then, and the work needs them. */
async function whileRunning<T>(controllers: Promise<void>, work: Promise<T>): Promise<T> {
  await Promise.race([controllers, work]);
  return work;
}

/** Rejects with the first failure of a part. */
function together(parts: readonly Promise<void>[]): Promise<void> {
  const running = Promise.all(parts).then(() => undefined);
  // The caller waits for it later, or never if its own start fails.
  running.catch(() => undefined);
  return running;
}

type NodeParts = Pick<LifeContext, 'client' | 'recorder' | 'random'> & {
  readonly informers: SharedInformers;
};

function makeNode(options: PartOptions, { informers, ...parts }: NodeParts): LocalNode {
  const scope = { fieldSelector: `spec.nodeName=${options.node.name}` };
  const ofServices = informers.of(services);
  return new LocalNode({
    ...options,
    ...parts,
    pods: informers.of<Pod>(pods, { scope }),
    hostIp: options.node.hostIp,
    services: () => ofServices.list(),
  });
}
