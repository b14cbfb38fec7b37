/** `lifehook controller`: runs the controllers, in the cluster or outside of it, until a signal arrives. */
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';

import { runManager } from '../../controller/manager.ts';
import type { WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import { resourceName } from '../../kube/object.ts';
import { readServerFacts } from '../../kube/capabilities.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { LifehookError } from '../../model/problem.ts';
import { makeAttemptMetrics } from '../../observe/attempt-metrics.ts';
import { makeControllerMetrics } from '../../observe/controller-metrics.ts';
import { type LogLevel, makeEventLog } from '../../observe/event-log.ts';
import { errorText } from '../../platform/error-text.ts';
import { type HttpServer, type HttpService, plainAnswer } from '../../platform/http-server.ts';
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import type { TcpAddress } from '../../platform/tcp-listener.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  type CliCluster,
  connectToKube,
  type KubeOptions,
  sayWhere,
  type Wanted,
} from '../kube-connection.ts';
import { metricParts } from '../lifecycle-controllers.ts';
import { neededKinds } from '../lifecycle-kinds.ts';
import type { CacheOf, LifecycleMetrics } from '../lifecycle-parts.ts';
import { controllerElection } from './controller-election.ts';
import { linkAdviceOf, startTimeline } from './controller-timeline.ts';
import { controllerTraces } from './controller-traces.ts';
import { controllersOf } from './controllers-of.ts';
import { type NotifyOptions, startNotifications } from './notifications.ts';
import { requireSupportedServer } from './supported-server.ts';
import { webhookKey } from './secret-store.ts';
import { startWebhook, type Webhook, type WebhookOptions } from './webhook.ts';

export interface ControllerOptions extends KubeOptions, NotifyOptions {
  /** True: manage only the objects of --namespace. */
  readonly namespaced?: boolean;
  readonly leaderElect: boolean;
  readonly metricsAddress: TcpAddress;
  readonly webhookAddress?: TcpAddress;
  readonly webhookService?: string;
  readonly timelineAddress?: TcpAddress;
  readonly allowHookHost: readonly string[];
  readonly logLevel: LogLevel;
}

const MAX_LISTENERS = 10_000;

export async function runController(options: ControllerOptions): Promise<number> {
  // Every controller and cache listens to the one stop signal, but Node warns above ten listeners.
  setMaxListeners(MAX_LISTENERS);
  const signal = cancelOnSignals();
  using cluster = await connectToKube(options, 'controller');
  const { version, groupVersions } = await readServerFacts(cluster.client);
  const warning = requireSupportedServer(version);
  await requireKinds(cluster, groupVersions);
  const log = makeEventLog(options.logLevel);
  if (warning !== null) log.logger.warn({ warning }, 'ServerNotTested');
  await run(options, { cluster, log, signal });
  return exitCodes.done;
}

interface World {
  readonly cluster: CliCluster;
  readonly log: ReturnType<typeof makeEventLog>;
  readonly signal: AbortSignal;
}

async function run(options: ControllerOptions, { cluster, log, signal }: World): Promise<void> {
  const { client, namespace } = cluster;
  // `running` is created below: a cache is read only for an event or a scrape, and both happen later.
  const cacheOf: CacheOf = (resource) => running.cacheOf(resource);
  const ofLifecycles = Object.values(metricParts).map((part) => part(cacheOf));
  const attemptMetrics = makeAttemptMetrics();
  const controllerMetrics = makeControllerMetrics();
  const { logger } = log;
  const notifications = await startNotifications(options, { client, namespace, logger, cacheOf });
  const observe = reportAll(
    [log, controllerMetrics, notifications, ...ofLifecycles].flatMap(
      ({ observeController }) => observeController ?? [],
    ),
  );
  const scope = options.namespaced === true ? { namespace } : {};
  const traces = controllerTraces({ logger, metrics: controllerMetrics, cacheOf });
  const observers = [log, ...ofLifecycles, attemptMetrics, traces, notifications];
  const report = reportAll(observers.map((each) => each.observe));
  const isAsked = options.webhookAddress !== undefined;
  const running = controllersOf({
    connect: cluster.connectAgain,
    scope,
    allowedHosts: options.allowHookHost,
    observe: report,
    observeController: observe,
    webhookKey: isAsked ? await webhookKey(client, namespace) : null,
  });
  const { informers, controllers, recorder, hasSynced } = running;
  const role = options.leaderElect ? 'standby' : 'sole';
  const election = await controllerElection({ client, namespace, scope, observe, role });
  const servers = await startServers(options, {
    ...cluster,
    metrics: [...ofLifecycles, attemptMetrics, controllerMetrics, notifications],
    hasSynced,
    cacheOf,
    report,
    observe: (error) => {
      log.logger.warn({ error: errorText(error) }, 'WebhookNotKept');
    },
    scope,
    linkAdvice: linkAdviceOf(cluster.context === null ? { namespace, name: hostname() } : null),
    onLink: (link) => {
      // Logged at the configured level, so that it is always visible: a hint has sent the user to the log.
      log.logger[options.logLevel]({ link }, 'Timeline');
    },
    signal,
  });
  for (const { url } of servers) log.logger.info({ url }, 'Listening');
  try {
    await runManager({ informers, controllers, election, signal });
  } finally {
    const subscribers = [recorder, traces, notifications];
    await Promise.all([
      ...subscribers.map((each) => each.stop()),
      ...servers.map((server) => server.close()),
    ]);
  }
}

interface Serving extends Pick<
  WebhookOptions,
  'client' | 'namespace' | 'cacheOf' | 'observe' | 'report'
> {
  readonly metrics: Parameters<typeof metricsService>[0];
  /** True: the caches are synced. */
  readonly hasSynced: () => boolean;
  readonly connectAgain: CliCluster['connectAgain'];
  readonly scope: WatchScope;
  readonly linkAdvice: string;
  readonly onLink: (link: string) => void;
  readonly signal: AbortSignal;
}

type Listening = Pick<HttpServer, 'url' | 'close'>;

async function startServers(options: ControllerOptions, serving: Serving): Promise<Listening[]> {
  const { metricsAddress, webhookAddress, webhookService, timelineAddress } = options;
  const servers: Listening[] = [];
  let webhook: Webhook | null = null;
  const isReady = async (): Promise<boolean> =>
    serving.hasSynced() && (webhookAddress === undefined || (await webhook?.isTrusted()) === true);
  const service = metricsService(serving.metrics, isReady);
  const metrics = nodeHttpServer({ service, ...metricsAddress });
  servers.push(await sayWhere(wanted('--metrics-address', metricsAddress), metrics));
  if (timelineAddress !== undefined) {
    const { connectAgain, scope, linkAdvice, onLink, signal } = serving;
    const about = { scope, linkAdvice, onLink, signal, connection: connectAgain() };
    const timeline = startTimeline({ ...about, address: timelineAddress });
    servers.push(await sayWhere(wanted('--timeline-address', timelineAddress), timeline));
  }
  if (webhookAddress !== undefined) {
    const { client, namespace, cacheOf, observe, report } = serving;
    const reporting = report === undefined ? {} : { report };
    const about = { client, namespace, cacheOf, observe, ...reporting, service: webhookService };
    const starting = startWebhook({ ...about, address: webhookAddress });
    webhook = await sayWhere(wanted('--webhook-address', webhookAddress), starting);
    servers.push(webhook);
  }
  return servers;
}

function reportAll<T>(observers: readonly ((event: T) => void)[]): (event: T) => void {
  return (event) => {
    for (const observe of observers) observe(event);
  };
}

/**
 * Rejects if kinds of Lifehook are missing, because their caches would never sync. The kinds of volume snapshots may be
 * missing.
 */
async function requireKinds(
  { client, source }: CliCluster,
  groupVersions: readonly string[],
): Promise<void> {
  const missing = groupVersions.includes(API_VERSION) ? await missingKinds(client) : [API_VERSION];
  if (missing.length === 0) return;
  throw new LifehookError({
    code: 'LHS407',
    message: `The controllers need kinds that the server does not have: ${missing.join(', ')} (${source}).`,
    next: 'Run `lifehook install | kubectl apply -f -`.',
  });
}

/** The kinds that are missing; an older version of Lifehook may have installed only some. */
async function missingKinds(client: KubeClient): Promise<string[]> {
  const { resources } = (await client.raw({
    method: 'GET',
    path: `/apis/${API_VERSION}`,
  })) as { readonly resources?: readonly { readonly name: string }[] };
  const served = new Set((resources ?? []).map(({ name }) => name));
  const needed = Object.values(neededKinds).flat();
  return needed.filter(({ plural }) => !served.has(plural)).map((one) => resourceName(one));
}

function wanted(option: string, address: TcpAddress): Wanted {
  const rival = 'another `lifehook controller` of this machine';
  return { option, address, code: 'LHK108', rival };
}

/** Serves /metrics for a scraper, /healthz and /readyz for a kubelet. No two of `metrics` share a metric name. */
export function metricsService(
  metrics: readonly Pick<LifecycleMetrics, 'expose'>[],
  isReady: () => Promise<boolean>,
): HttpService {
  return {
    refuse: ({ method }) =>
      method === 'GET' || method === 'HEAD' ? null : plainAnswer(405, 'use GET'),
    isBinary: () => false,
    handle: async ({ path }) => {
      if (path === '/healthz') return plainAnswer(200, 'ok');
      if (path === '/readyz') {
        return (await isReady())
          ? plainAnswer(200, 'ok')
          : plainAnswer(503, 'the caches are not filled, or API servers do not trust the webhook');
      }
      if (path !== '/metrics')
        return plainAnswer(404, 'this server has only /metrics, /healthz and /readyz');
      const all = await Promise.all(metrics.map(({ expose }) => expose()));
      const type = all[0]?.type ?? 'text/plain';
      const body = all.map(({ text }) => text).join('\n');
      return { status: 200, headers: { 'content-type': type }, body };
    },
    upgrade: async () => ({ kind: 'refused', answer: plainAnswer(400, 'use GET') }),
    tooLarge: (limitBytes) => plainAnswer(413, `at most ${limitBytes} bytes`),
  };
}
