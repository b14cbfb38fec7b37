import { beforeEach, describe, expect, it } from 'vitest';

import { FROZEN_WINDOW, GuardBench } from '../../../../test/fixtures/snapshot/guard-bench.ts';
import { creationOf, sampleClaim } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { sleep } from '../../../platform/sleep.ts';
import { applicationSnapshots, snapshotGuards } from '../kinds.ts';
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

  it('is refused if its claim terminates, since waiting until it is bound would not help (SNAP-W8)', async () => {
    bench.guard();
    const finalizers = ['kubernetes.io/pvc-protection'];
    const { metadata, ...claim } = sampleClaim('old');
    bench.api.create(persistentVolumeClaims, { ...claim, metadata: { ...metadata, finalizers } });
    bench.api.delete(persistentVolumeClaims, { namespace: 'shop', name: 'old' }, {});
    const object = {
      metadata: { name: 'snapshot-u', uid: 'u' },
      spec: { source: { persistentVolumeClaimName: 'old' } },
    };
    const answer = await bench.until(bench.ask(creationOf('u', { object })));
    expect(JSON.stringify(answer)).toContain('(ClaimGoing): claim old is being deleted. Nothing');
  });

  it.each([
    ['of the guards', snapshotGuards.kind],
    ['of the windows', applicationSnapshots.kind],
  ])(
    'counts its first read %s into the time of its guard: the API server waits no longer (SNAP-W8)',
    async (_, kind) => {
      bench.guard({ freezeTimeoutSeconds: 3 });
      const { client, host } = bench;
      const slow: typeof client.list = async (resource, options) => {
        if (resource.kind === kind) await sleep(host.timers, 2_000);
        return client.list(resource, options);
      };
      const observe = (): void => undefined;
      const by = guardJudge({ client: { ...client, list: slow }, platform: host, observe });
      const answer = await bench.until(bench.ask(creationOf('u'), { by }));
      expect(JSON.stringify(answer)).toContain('(FreezeTimeout)');
      expect(bench.world.elapsedMs).toBeLessThan(4_000);
    },
  );

  it('names no window if its reads took all its time (SNAP-W8)', async () => {
    bench.guard({ freezeTimeoutSeconds: 1 });
    const { client, host } = bench;
    const slow: typeof client.list = async (resource, options) => {
      await sleep(host.timers, 2_000);
      return client.list(resource, options);
    };
    const observe = (): void => undefined;
    const by = guardJudge({ client: { ...client, list: slow }, platform: host, observe });
    const answer = await bench.until(bench.ask(creationOf('u'), { by }));
    expect(JSON.stringify(answer)).toContain(
      'the application was not frozen within 1 s: the API server answered too slowly to open a window. Nothing was snapshotted. Create',
    );
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
