import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { expect, test } from 'vitest';

import { SharedInformers, type WatchAny } from '../../../controller/shared-informers.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { RolloutContext } from '../context.ts';
import type { DeploymentLifecycle, HookRun } from '../kinds.ts';
import { RolloutCaches } from './caches.ts';
import { RolloutDriver } from './drive.ts';
import { GateProofs } from './gate-proofs.ts';

const KEY = 'ns/web';

test('RolloutDriver acts on what it read, not on a cache from before the server was put back (CTRL-W4)', async () => {
  const { caches, client, stop } = watching('12');
  await pause(5);
  expect(versions(caches)).toEqual(['12', '12', '12']);
  const context = { client, platform: { clock: { nowMs: Date.now } }, prove: null };
  // The first step of a lifecycle adds its finalizer, which needs no more of the context than this.
  const of = context as unknown as RolloutContext;
  const driver = new RolloutDriver(of, caches, new GateProofs(of, caches));
  const pass = driver.pass(KEY, { mayAct: () => true, token: null } as never);
  await expect(pass).rejects.toThrow('the finalizer is refused');
  expect(versions(caches)).toEqual(['9', '9', '9']);
  await stop();
});

test('RolloutDriver reads from the server once in each term: the last writes of another leader may be in no cache', async () => {
  const { caches, client, stop } = watching('12');
  await pause(5);
  const reads: string[] = [];
  const get = (resource: { plural: string }): unknown => {
    reads.push(resource.plural);
    return (client as { get: (of: typeof resource) => unknown }).get(resource);
  };
  const counting = { ...(client as object), get };
  const context = { client: counting, platform: { clock: { nowMs: Date.now } }, prove: null };
  const of = context as unknown as RolloutContext;
  const driver = new RolloutDriver(of, caches, new GateProofs(of, caches));
  const readsIn = async (token: object): Promise<readonly string[]> => {
    reads.length = 0;
    const pass = driver.pass(KEY, { mayAct: () => true, token } as never);
    await expect(pass).rejects.toThrow('the finalizer is refused');
    return [...reads];
  };
  const [first, second] = [{ transitions: 1 }, { transitions: 2 }];
  const all = ['deployments', 'deploymentlifecycles'];
  expect(await readsIn(first)).toEqual(all);
  expect(await readsIn(first)).toEqual([]);
  expect(await readsIn(second)).toEqual(all);
  await stop();
});

function versions(caches: RolloutCaches): unknown[] {
  const all = [caches.deployment(KEY), ...caches.lifecyclesOf(KEY), ...caches.hookRunsOf(KEY)];
  return all.map((each) => each?.metadata?.resourceVersion);
}

/** Objects of this version, by the name of their kind. */
function objectsOf(resourceVersion: string): Readonly<Record<string, KubeObject>> {
  const metadata = { namespace: 'ns', name: 'web', uid: 'u1', resourceVersion };
  const deployment: Deployment = { metadata, spec: { selector: {}, template: {} } };
  const lifecycle: DeploymentLifecycle = { metadata, spec: { deploymentName: 'web' } };
  const run = { metadata, spec: { deploymentName: 'web' } } as HookRun;
  return { deployments: deployment, deploymentlifecycles: lifecycle, hookruns: run };
}

/** Caches with objects of version `cached`, and a server that was restored to version 9. */
function watching(cached: string): {
  readonly caches: RolloutCaches;
  readonly client: unknown;
  readonly stop: () => Promise<void>;
} {
  const watch: WatchAny = async function* ({ resource, signal }) {
    const object = objectsOf(cached)[resource.plural];
    if (object !== undefined) yield { type: 'Upsert', object: object as never };
    yield { type: 'Synced', resourceVersion: cached };
    while (!signal.aborted) await pause(1);
  };
  const server = objectsOf('9');
  const client = {
    get: ({ plural }: { plural: string }) => Promise.resolve(server[plural]),
    list: ({ plural }: { plural: string }) => Promise.resolve({ items: [server[plural]] }),
    patch: () => Promise.reject(new ApiError(500, { message: 'the finalizer is refused' }, null)),
  };
  const informers = new SharedInformers({ watch });
  const caches = new RolloutCaches({ informers, scope: {} });
  const end = new AbortController();
  const running = informers.run(end.signal);
  return {
    caches,
    client,
    stop: async () => {
      end.abort();
      await running;
    },
  };
}
