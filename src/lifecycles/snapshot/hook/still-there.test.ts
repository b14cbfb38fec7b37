import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { noNetworkFaults } from '../../../../test/sim/controller/sim-client.ts';
import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import type { ContainerStatus } from '../kinds.ts';
import { isReplaced, whyNotSame, whyNotThere } from './still-there.ts';

function target(podUID: string): ContainerStatus {
  return { podName: 'a', podUID, containerName: 'db', containerID: 'sim://0', restartCount: 0 };
}

describe('whyNotThere', () => {
  it('distinguishes the chosen pod from a recreated, a deleted and an unreadable one', async () => {
    const bench = new HookBench();
    const chosen = target(bench.makePod('a').metadata?.uid ?? '');
    const ask = async (): Promise<string | undefined> => {
      const answer = whyNotThere(bench.client, chosen, { namespace: 'ns', timeoutMs: 1_000 });
      const missing = await bench.until(answer);
      if (missing !== null) expect(missing.outcome).toBe('Failed');
      return missing?.reason;
    };
    expect(await ask()).toBeUndefined();
    bench.removePod('a');
    expect(await ask()).toBe('The freeze was not sent: the pod a is deleted.');
    bench.makePod('a');
    expect(await ask()).toContain('a new pod has its name');
    bench.faults = { ...noNetworkFaults, requestLost: 1 };
    expect(await ask()).toContain('could not check');
  });
});

describe('whyNotSame', () => {
  it('says that the container of a pod has ended that was evicted, whatever state is left in its status (SNAP-G14)', async () => {
    const bench = new HookBench();
    const pod = bench.makePod('a');
    const chosen = { ...target(pod.metadata?.uid ?? ''), containerID: idOf(pod) };
    const ask = (): Promise<string | null> =>
      bench.until(whyNotSame(bench.client, chosen, { namespace: 'ns' }));
    expect(await ask()).toBeNull();
    bench.changePod('a', ({ status }) => {
      if (status !== undefined) status.phase = 'Failed';
    });
    expect(await ask()).toBe('the container db of pod a has exited since, or is about to exit');
  });
});

describe('isReplaced', () => {
  it('is true only if another container runs in the same pod', async () => {
    const bench = new HookBench();
    const pod = bench.makePod('a');
    const chosen = { ...target(pod.metadata?.uid ?? ''), containerID: idOf(pod) };
    const ask = (): Promise<boolean> =>
      bench.until(isReplaced(bench.client, chosen, { namespace: 'ns' }));
    expect(await ask()).toBe(false);
    bench.restartContainer('a', 'db');
    bench.faults = { ...noNetworkFaults, requestLost: 1 };
    expect(await ask()).toBe(false);
    bench.faults = noNetworkFaults;
    expect(await ask()).toBe(true);
    bench.removePod('a');
    bench.makePod('a');
    expect(await ask()).toBe(false);
  });
});

function idOf({ status }: Pod): string {
  return status?.containerStatuses?.[0]?.containerID ?? '';
}
