/** Runs the sample controller on a real cluster: its kind, a namespace, and the controller with all its parts. */
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';

import type { ControllerEvent } from '../../src/controller/controller-event.ts';
import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { LeaseElection } from '../../src/controller/lease.ts';
import type { LeaseTimes } from '../../src/controller/lease-record.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import { isReason } from '../../src/kube/api-error.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { customResourceDefinitions } from '../../src/kube/resources.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { sleep } from '../../src/platform/sleep.ts';
import { removeDefinition } from '../fixtures/define-kinds.ts';
import { makeSampleController, widgets } from '../sim/controller/sample-controller.ts';
import type { ClusterConnection } from './real-cluster.ts';

/** Long enough that a leader on a busy machine renews its Lease in time. */
export const TIMES: LeaseTimes = { durationMs: 20_000, renewDeadlineMs: 13_000, retryMs: 500 };
export const LEASE = 'sample-leader';

const { group, version, plural, kind } = widgets;

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const definition: CustomResourceDefinition = {
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } },
        },
      },
    ],
  },
};

export async function defineWidgets(client: KubeClient): Promise<void> {
  await orNothing(client.create(customResourceDefinitions, definition));
  await eventually('widgets are served', async () => {
    await client.list(widgets, { namespace: 'default' });
  });
}

/** Removes the finalizers too, since no controller is left to do so. Deletes the kind if no suite has a widget left. */
export async function removeWidgets(client: KubeClient, namespace: string): Promise<void> {
  const { items } = await client.list(widgets, { namespace });
  for (const { metadata } of items) {
    const key = { namespace, name: metadata?.name ?? '' };
    const body = { metadata: { finalizers: [] } };
    await client.patch(widgets, key, { type: 'merge', body });
    await orNothing(client.delete(widgets, key));
  }
  const { items: left } = await client.list(widgets);
  const name = `${plural}.${group}`;
  if (left.length === 0) await removeDefinition(client, name);
}

/** Ignores the error if another client has already created, deleted or changed the object. */
export async function orNothing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isReason(error, 'NotFound', 'AlreadyExists', 'Conflict')) throw error;
  }
}

export interface RunOptions {
  readonly cluster: ClusterConnection;
  readonly namespace: string;
  readonly identity: string;
  readonly signal: AbortSignal;
  readonly observe?: (event: ControllerEvent) => void;
}

/** Runs the sample controller until the signal is aborted. */
export async function runSample(options: RunOptions): Promise<void> {
  const { cluster, namespace, identity, signal, observe = () => {} } = options;
  const { client, connection } = cluster;
  const informers = new SharedInformers({ watch: watchCluster(connection), observe });
  const world = { client, platform: nodePlatform, random: Math.random, observe };
  const events = new EventRecorder({ ...world, component: 'lifehook-sample' });
  const controller = makeSampleController({ ...world, informers, scope: { namespace }, events });
  const election = new LeaseElection({ ...world, namespace, name: LEASE, identity, times: TIMES });
  await runManager({ informers, controllers: [controller], election, signal });
  await events.stop();
}

/** Retries until the check passes. On a timeout it throws, with the last failure as the cause. */
export async function eventually(
  what: string,
  check: () => Promise<void>,
  timeoutMs: number = 120_000,
): Promise<void> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > untilMs) throw new Error(`not in time: ${what}`, { cause: error });
    }
    await sleep(nodePlatform.timers, 100);
  }
}
