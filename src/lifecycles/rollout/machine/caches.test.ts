import { setTimeout as pause } from 'node:timers/promises';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, test } from 'vitest';

import { SharedInformers, type WatchAny } from '../../../controller/shared-informers.ts';
import type { WatchEvent } from '../../../kube/client.ts';
import { pods } from '../../../kube/resources.ts';
import type { HookRun } from '../kinds.ts';
import { OF_DEPLOYMENT } from '../names.ts';
import { RolloutCaches } from './caches.ts';

const KEY = { namespace: 'ns', name: 'web' };

test('RolloutCaches return the hook pod as last written until the watch reports it newer or deleted', async () => {
  const reported: WatchEvent<Pod>[] = [];
  const { caches, stop } = watching(reported);
  const emit = async (...events: WatchEvent<Pod>[]): Promise<void> => {
    reported.push(...events);
    while (reported.length > 0) await pause(1);
    await pause(1);
  };
  await emit({ type: 'Upsert', object: pod('10') });
  expect(versions(caches)).toEqual(['10']);

  caches.rememberPod(pod('12'));
  expect(versions(caches)).toEqual(['12']);
  await emit({ type: 'Upsert', object: pod('11') });
  expect(versions(caches)).toEqual(['12']);
  await emit({ type: 'Upsert', object: pod('13') });
  expect(versions(caches)).toEqual(['13']);

  caches.rememberPod(pod('15'));
  await emit({ type: 'Delete', object: pod('15') }, { type: 'Upsert', object: pod('14') });
  // The cache keeps nothing of a deleted pod, so it accepts a new pod of the same name.
  expect(versions(caches)).toEqual(['14']);
  await emit({ type: 'Delete', object: pod('16') });
  caches.rememberPod(pod('17'));
  await emit({ type: 'Upsert', object: pod('9') });
  expect(versions(caches)).toEqual(['9']);
  await stop();
});

test('RolloutCaches forget a HookRun that was deleted before the watch has reported it', async () => {
  const { caches, stop } = watching([]);
  const metadata = { namespace: 'ns', name: 'web-1-pre', uid: 'u1', resourceVersion: '3' };
  const run = { metadata, spec: { deploymentName: KEY.name } } as HookRun;
  caches.rememberRun(run);
  expect(caches.hookRunsOf('ns/web')).toEqual([run]);
  caches.forgetRun(run);
  expect(caches.hookRunsOf('ns/web')).toEqual([]);
  await stop();
});

function versions(caches: RolloutCaches): unknown[] {
  return caches.hookPodsOf(KEY).map(({ metadata }) => metadata?.resourceVersion);
}

function pod(resourceVersion: string): Pod {
  const labels = { [OF_DEPLOYMENT]: KEY.name };
  return { metadata: { namespace: 'ns', name: 'web-1-pre-1', uid: 'u1', labels, resourceVersion } };
}

/** A watch that delivers the pushed events, in order. */
function watching(reported: WatchEvent<Pod>[]): {
  readonly caches: RolloutCaches;
  readonly stop: () => Promise<void>;
} {
  const watch: WatchAny = async function* ({ resource, signal }) {
    yield { type: 'Synced', resourceVersion: '1' };
    while (!signal.aborted) {
      // Only the watch of pods has events in this test.
      if (resource.plural === pods.plural) yield* reported.splice(0) as WatchEvent<never>[];
      await pause(1);
    }
  };
  const informers = new SharedInformers({ watch });
  const caches = new RolloutCaches({ informers, scope: {} });
  const end = new AbortController();
  const running = informers.run(end.signal);
  return {
    caches,
    stop: async () => {
      end.abort();
      await running;
    },
  };
}
