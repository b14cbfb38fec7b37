import { setTimeout as pause } from 'node:timers/promises';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { SharedInformers, type WatchAny } from '../../../controller/shared-informers.ts';
import type { WatchEvent } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import { pods } from '../../../kube/resources.ts';
import { type HookRun, hookRuns } from '../kinds.ts';
import { OF_DEPLOYMENT } from '../names.ts';
import { RolloutCaches } from './caches.ts';

const KEY = { namespace: 'ns', name: 'web' };

test('RolloutCaches return the hook pod as last written until the watch reports it newer or deleted', async () => {
  const { caches, emit, stop } = watching(pods);
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
  const { caches, stop } = watching(hookRuns);
  const run = hookRun({});
  caches.rememberRun(run);
  expect(caches.hookRunsOf('ns/web')).toEqual([run]);
  caches.forgetRun(run);
  expect(caches.hookRunsOf('ns/web')).toEqual([]);
  await stop();
});

test('RolloutCaches take no answer to a write for a HookRun of the same name (CTRL-W3)', async () => {
  const { caches, emit, stop } = watching(hookRuns);
  const replaced = hookRun({ uid: 'u1', resourceVersion: '10' });
  const restored = hookRun({ uid: 'u2', resourceVersion: '5' });
  caches.rememberRun(replaced);
  await emit({ type: 'Upsert', object: restored });
  expect(caches.hookRunsOf('ns/web')).toEqual([restored]);
  await stop();
});

test('RolloutCaches ignore late answers about the last 1 000 deleted HookRuns', async () => {
  const { caches, emit, stop } = watching(hookRuns);
  const deleted = Array.from({ length: 1_001 }, (_, n) => hookRun({ name: `r${n}`, uid: `u${n}` }));
  const [first, second, last] = [deleted[0], deleted[1], deleted.at(-1)] as [
    HookRun,
    HookRun,
    HookRun,
  ];
  const lifeOf = (object: HookRun): readonly WatchEvent<HookRun>[] => [
    { type: 'Upsert', object },
    { type: 'Delete', object },
  ];
  await emit(...deleted.slice(0, -1).flatMap(lifeOf));
  caches.rememberRun(first);
  expect(caches.hookRunsOf('ns/web')).toEqual([]);

  await emit(...lifeOf(last));
  for (const run of [first, second, last]) caches.rememberRun(run);
  expect(caches.hookRunsOf('ns/web')).toEqual([first]);
  await stop();
});

describe('RolloutCaches forget a HookRun', () => {
  const run = hookRun({});

  test('that the watch has reported as new and as deleted between two reconciles', async () => {
    const { caches, emit, stop } = watching(hookRuns);
    caches.rememberRun(run);
    await emit({ type: 'Upsert', object: run }, { type: 'Delete', object: run });
    expect(caches.hookRunsOf('ns/web')).toEqual([]);
    await stop();
  });

  test('whose deletion the watch has reported before the answer to a write arrives', async () => {
    const { caches, emit, stop } = watching(hookRuns);
    await emit({ type: 'Upsert', object: run }, { type: 'Delete', object: run });
    caches.rememberRun(run);
    expect(caches.hookRunsOf('ns/web')).toEqual([]);
    await stop();
  });

  test('that a later list lacks', async () => {
    const { caches, emit, stop } = watching(hookRuns);
    caches.rememberRun(run);
    await emit({ type: 'Relisting' }, { type: 'Synced', resourceVersion: '9' });
    expect(caches.hookRunsOf('ns/web')).toEqual([]);
    await stop();
  });

  test('only when it was deleted: until then it is as last written', async () => {
    const { caches, emit, stop } = watching(hookRuns);
    const later = hookRun({ resourceVersion: '5' });
    caches.rememberRun(later);
    await emit({ type: 'Upsert', object: run });
    expect(caches.hookRunsOf('ns/web')).toEqual([later]);
    await stop();
  });
});

function versions(caches: RolloutCaches): unknown[] {
  return caches.hookPodsOf(KEY).map(({ metadata }) => metadata?.resourceVersion);
}

function pod(resourceVersion: string): Pod {
  const labels = { [OF_DEPLOYMENT]: KEY.name };
  return { metadata: { namespace: 'ns', name: 'web-1-pre-1', uid: 'u1', labels, resourceVersion } };
}

function hookRun({ name = 'web-1-pre', uid = 'u1', resourceVersion = '3' }): HookRun {
  const metadata = { namespace: 'ns', name, uid, resourceVersion };
  return { metadata, spec: { deploymentName: KEY.name } } as HookRun;
}

interface Watching<T extends KubeObject> {
  readonly caches: RolloutCaches;
  /** Resolves once the caches have the events. */
  readonly emit: (...events: WatchEvent<T>[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Caches whose watch of one resource delivers the emitted events, in order. */
function watching<T extends KubeObject>({ plural }: Resource<T>): Watching<T> {
  const emitted: WatchEvent<T>[] = [];
  const watch: WatchAny = async function* ({ resource, signal }) {
    yield { type: 'Synced', resourceVersion: '1' };
    while (!signal.aborted) {
      if (resource.plural === plural) yield* emitted.splice(0) as WatchEvent<never>[];
      await pause(1);
    }
  };
  const informers = new SharedInformers({ watch });
  const caches = new RolloutCaches({ informers, scope: {} });
  const end = new AbortController();
  const running = informers.run(end.signal);
  return {
    caches,
    emit: async (...events) => {
      emitted.push(...events);
      while (emitted.length > 0) await pause(1);
      await pause(1);
    },
    stop: async () => {
      end.abort();
      await running;
    },
  };
}
