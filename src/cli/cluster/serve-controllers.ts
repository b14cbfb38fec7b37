/**
 * Runs Lifehook's controllers and their webhooks within the local cluster, without set-up. The controllers take part in
 * the election. If a `lifehook controller` uses the cluster too, one of the two waits until the other stops.
 */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';

import { runManager } from '../../controller/manager.ts';
import { sameJson } from '../../controller/same-json.ts';
import type { KubeClient, KubeConnection } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import type { Json } from '../../kube/object.ts';
import { customResourceDefinitions } from '../../kube/resources.ts';
import { makeEventLog } from '../../observe/event-log.ts';
import { whenAborted } from '../../platform/linked-signal.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { sleep } from '../../platform/sleep.ts';
import { controllerElection } from '../controller/controller-election.ts';
import { controllerTraces } from '../controller/controller-traces.ts';
import { controllersOf } from '../controller/controllers-of.ts';
import { webhookKey } from '../controller/secret-store.ts';
import { startWebhook } from '../controller/webhook.ts';
import kinds from './lifehook-kinds.json' with { type: 'json' };

export interface ServeControllersOptions {
  readonly connect: () => KubeConnection;
  readonly signal: CancelSignal;
  /** Called when the webhook listens, or when it could not start and will be retried. */
  readonly onWebhook: () => void;
}

const AGAIN_MS = 1_000;
/** The log has only failures: objects and their Events show successes. */
const STDERR = 2;
const log = makeEventLog('warn', STDERR);
/**
 * Namespace of the Lease, and of the Secret with the certificates. `lifehook controller` uses the namespace of the
 * kubeconfig, which is this one, so that both are replicas of one installation.
 */
const NAMESPACE = 'default';

/** Runs the controllers until the signal aborts; restarts them after an error. Never rejects. */
export async function serveControllers(options: ServeControllersOptions): Promise<void> {
  const webhook = serveWebhook(options);
  await runControllers(options);
  await webhook;
}

async function serveWebhook({
  connect,
  signal,
  onWebhook,
}: ServeControllersOptions): Promise<void> {
  const client = makeKubeClient(connect());
  const address = { host: '127.0.0.1', port: 0 };
  while (!signal.aborted) {
    try {
      const report = log.observe;
      const webhook = await startWebhook({ client, namespace: NAMESPACE, address, report });
      onWebhook();
      await whenAborted(signal);
      await webhook.close();
    } catch (error) {
      log.logger.warn({ error: String(error) }, 'WebhookFailed');
      onWebhook();
      await sleep(nodePlatform.timers, AGAIN_MS, signal);
    }
  }
}

type Running = Pick<ServeControllersOptions, 'connect' | 'signal'>;

async function runOnce({ connect, signal }: Running, key: string): Promise<void> {
  const traces = controllerTraces({
    logger: log.logger,
    cacheOf: (resource) => running.cacheOf(resource),
  });
  const running = controllersOf({
    connect,
    scope: {},
    observe: (event) => {
      log.observe(event);
      traces.observe(event);
    },
    observeController: log.observeController,
    webhookKey: key,
  });
  const { informers, controllers, recorder } = running;
  try {
    const election = await controllerElection({
      client: makeKubeClient(connect()),
      namespace: NAMESPACE,
      scope: {},
      observe: log.observeController,
      role: 'localCluster',
    });
    await runManager({ informers, controllers, election, signal });
  } finally {
    await Promise.all([recorder.stop(), traces.stop()]);
  }
}

async function runControllers({ connect, signal }: Running): Promise<void> {
  const client = makeKubeClient(connect());
  while (!signal.aborted) {
    try {
      await runOnce({ connect, signal }, await webhookKey(client, NAMESPACE));
    } catch (error) {
      log.logger.warn({ error: String(error) }, 'ControllersFailed');
      await sleep(nodePlatform.timers, AGAIN_MS, signal);
    }
  }
}

/**
 * Installs this version of Lifehook's kinds, also over another version, and waits until they are served. The kinds have
 * no CEL rules, because the CEL engine would have to be loaded before the cluster is ready. The controllers check the
 * same rules.
 */
export async function installKinds(client: KubeClient): Promise<void> {
  await storeKinds(client);
  await awaitServed(client);
}

/** Milliseconds between two looks at the definitions, and the longest wait for them. */
const LOOK_MS = 10;
const SERVED_MS = 10_000;

/**
 * Waits until our kinds are served. A kind whose names another definition has is never served, so it is not waited for.
 */
async function awaitServed(client: KubeClient): Promise<void> {
  const ours = new Set(kinds.map(({ metadata }) => metadata.name));
  for (let waitedMs = 0; waitedMs < SERVED_MS; waitedMs += LOOK_MS) {
    const { items } = await client.list(customResourceDefinitions);
    const pending = items.filter((one) => ours.has(one.metadata?.name ?? '') && !isDecided(one));
    if (pending.length === 0) return;
    await sleep(nodePlatform.timers, LOOK_MS);
  }
}

function isDecided({ status: { conditions = [] } = {} }: CustomResourceDefinition): boolean {
  return conditions.some(
    ({ type, status }) =>
      (type === 'Established' && status === 'True') ||
      (type === 'NamesAccepted' && status === 'False'),
  );
}

async function storeKinds(client: KubeClient): Promise<void> {
  await Promise.all(
    (kinds as CustomResourceDefinition[]).map(async (definition) => {
      const key = { name: definition.metadata?.name ?? '' };
      const found = await getOrNull(client, customResourceDefinitions, key);
      if (found === null) return client.create(customResourceDefinitions, definition);
      const { annotations } = definition.metadata ?? {};
      if (sameJson(found.metadata?.annotations, annotations)) return found;
      const body = { metadata: { annotations }, spec: definition.spec } as unknown as Json;
      return client.patch(customResourceDefinitions, key, { type: 'merge', body });
    }),
  );
}
