import { beforeEach, describe, expect, it } from 'vitest';

import { FROZEN_WINDOW, GuardBench } from '../../../../test/fixtures/snapshot/guard-bench.ts';
import { creationOf, sampleClaim } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { sleep } from '../../../platform/sleep.ts';
import { applicationSnapshots } from '../kinds.ts';
import { guardJudge } from './guard-world.ts';

let bench: GuardBench;

beforeEach(() => {
  bench = new GuardBench();
});

describe('a request on its way into a window', () => {
  it('freezes no claim that is terminating (SNAP-W1)', async () => {
    bench.guard();
    const terminating = sampleClaim('old');
    const metadata = { ...terminating.metadata, finalizers: ['kubernetes.io/pvc-protection'] };
    bench.api.create(persistentVolumeClaims, { ...terminating, metadata });
    bench.api.delete(persistentVolumeClaims, { namespace: 'shop', name: 'old' }, {});
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    expect(await bench.until(asked)).toEqual({ allowed: true });
    expect(bench.windows[0]?.spec.source.persistentVolumeClaimNames).toEqual(['data']);
  });

  it('counts its first reads into the time of its guard: the API server waits no longer (SNAP-W8)', async () => {
    bench.guard({ freezeTimeoutSeconds: 3 });
    const { client, host } = bench;
    const slow: typeof client.list = async (resource, options) => {
      if (resource.kind === applicationSnapshots.kind) await sleep(host.timers, 2_000);
      return client.list(resource, options);
    };
    const observe = (): void => undefined;
    const by = guardJudge({ client: { ...client, list: slow }, platform: host, observe });
    const answer = await bench.until(bench.ask(creationOf('u'), { by }));
    expect(JSON.stringify(answer)).toContain('(FreezeTimeout)');
    expect(bench.world.elapsedMs).toBeLessThan(5_000);
  });

  it('ends its rest when its client has disconnected (SNAP-W14)', async () => {
    bench.guard({ freezeTimeoutSeconds: 10 });
    const first = bench.ask(creationOf('a'));
    const executionHookNames = ['hook-0'];
    await bench.reportWhen('mariadb-window-1', { ...FROZEN_WINDOW, executionHookNames });
    await bench.until(first);
    const closedAt = new Date(bench.world.wallMs).toISOString();
    const cutRequestedAt = new Date(bench.world.wallMs - 8_000).toISOString();
    bench.report('mariadb-window-1', { cutRequestedAt, closedAt });
    const gaveUp = new AbortController();
    const second = bench.ask(creationOf('b'), { signal: gaveUp.signal });
    await bench.pass(1_000);
    const leftMs = bench.world.elapsedMs;
    gaveUp.abort();
    await bench.until(second.catch(() => null));
    expect(bench.world.elapsedMs - leftMs).toBeLessThan(1_000);
    expect(bench.windowNames).toEqual(['mariadb-window-1']);
  });
});
