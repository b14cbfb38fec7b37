import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';

import { HandTimers } from '../../test/fixtures/kube/hand-timers.ts';
import { type Script, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { posixError } from '../platform/posix-error.ts';
import { sleep } from '../platform/sleep.ts';
import type { KubeConnection } from './client.ts';
import { MAX_TRIES, sendRequest } from './unary-request.ts';

const version = { method: 'GET', path: '/version' } as const;
const refused = posixError('ECONNREFUSED', 'connect ECONNREFUSED');

/** A connection on a simulated clock, with the scripted answers of a server. */
function stand(script: (bench: SimBench) => Script) {
  const bench = new SimBench();
  const transport = scriptedTransport(script(bench));
  const { requests } = transport;
  const common = { transport, userAgent: 'test', random: () => 0 };
  const connection: KubeConnection = { ...common, platform: bench.host };
  return { bench, connection, requests };
}

describe('the tries of a request', () => {
  it('share one deadline with the pauses between them', async () => {
    const { bench, connection, requests } = stand(({ host }) => async (_, index) => {
      if (index > 0) return new Promise<never>(() => undefined);
      await sleep(host.timers, 800);
      return refused;
    });
    const failed = sendRequest(connection, { ...version, timeoutMs: 1_000 });
    await expect(bench.until(failed)).rejects.toThrow('no complete answer within 150 ms');
    expect(requests).toHaveLength(2);
    expect(bench.world.elapsedMs).toBe(1_000);
  });

  it('are a bounded number, however much time is left', async () => {
    const { bench, connection, requests } = stand(() => () => refused);
    const failed = sendRequest(connection, { ...version, timeoutMs: 3_600_000 });
    await expect(bench.until(failed)).rejects.toMatchObject({ sent: false });
    expect(requests).toHaveLength(MAX_TRIES);
  });
});

describe('a request that has ended', () => {
  const { signal } = new AbortController();

  it.each([
    ['was answered', { status: 200 }],
    ['was refused', { status: 403 }],
    ['had no connection', posixError('EPROTO', 'certificate has expired')],
  ])('leaves no timer and no listener if it %s', async (_, answer) => {
    const timers = new HandTimers();
    const transport = scriptedTransport(() => answer);
    const platform = { clock: nodePlatform.clock, timers };
    const connection = { transport, platform, userAgent: 'test', random: () => 0 };
    await sendRequest(connection, { ...version, signal }).catch(() => null);
    expect(timers.count).toBe(1);
    expect(timers.waiting).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
