import { expect, it, vi } from 'vitest';

import { sampleHook, sampleTarget } from '../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import { ApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { RELEASE } from '../../lifecycles/snapshot/names.ts';
import { exitCodes } from '../exit-codes.ts';
import { askForThaws, nothingFailed, runSnapshotThaw, untilThawed } from './thaw.ts';

/** Two hooks. The request for the first one fails. */
async function benchWithFailure(code: number, reason: string) {
  const bench = new SimBench();
  const hooks = await Promise.all(
    ['first', 'second'].map((name) =>
      bench.until(bench.client.create(executionHooks, sampleHook({ name }))),
    ),
  );
  const client: KubeClient = {
    ...bench.client,
    patch: (resource, key, options) =>
      key.name === 'first'
        ? Promise.reject(new ApiError(code, { code, reason, message: `it is ${reason}` }))
        : bench.client.patch(resource, key, options),
  };
  const isAsked = async (name: string): Promise<boolean> => {
    const key = { namespace: 'shop', name };
    const { metadata } = await bench.until(bench.client.get(executionHooks, key));
    return metadata?.annotations?.[RELEASE] !== undefined;
  };
  return { asking: bench.until(askForThaws(client, hooks)), isAsked };
}

it('requests the thaw of every hook when one was deleted meanwhile', async () => {
  const { asking, isAsked } = await benchWithFailure(404, 'NotFound');
  await asking;
  expect(await isAsked('second')).toBe(true);
});

it('requests the thaw of every hook when one request is refused, and rejects with the refusal', async () => {
  const { asking, isAsked } = await benchWithFailure(403, 'Forbidden');
  await expect(asking).rejects.toThrow('it is Forbidden');
  expect(await isAsked('second')).toBe(true);
});

it.each([
  [[], {}],
  [['night'], { all: true }],
  [['night'], { allNamespaces: true }],
])('refuses a thaw of %j with %j as wrong use, before a cluster is asked', async (names, more) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const options = { timeout: 1, kubeconfig: '/no/such/kubeconfig', ...more };
  try {
    expect(await runSnapshotThaw(names, options)).toBe(exitCodes.wrongUse);
    expect(written.mock.calls.join('')).toContain('LHS405');
  } finally {
    vi.restoreAllMocks();
  }
});

it('names the namespace in the command that thaws a hook without a failed thaw', () => {
  expect(nothingFailed({ namespace: 'shop', name: 'night' }).problems[0]?.next).toContain(
    '`lifehook snapshot thaw night -n shop`',
  );
});

it('counts a target that froze after the request as still frozen', async () => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const left = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const hookOf = (...pods: string[]): ExecutionHook =>
    sampleHook({
      status: { containerExecutionHookStatuses: pods.map((podName) => sampleTarget({ podName })) },
    });
  const client = { get: async () => hookOf('db-0', 'db-1') } as unknown as KubeClient;
  const hooks = [hookOf('db-0')];
  try {
    expect(await untilThawed({ client }, hooks, { timeout: 0.01 })).toBe(1);
    expect(out.mock.calls).toEqual([['Thawed 0 of 2.\n']]);
    expect(left).toHaveBeenCalledTimes(2);
  } finally {
    vi.restoreAllMocks();
  }
});

it('waits no longer when the clock is set back meanwhile', async () => {
  let nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => (nowMs -= 3_600_000));
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const hook = sampleHook({ status: { containerExecutionHookStatuses: [sampleTarget()] } });
  let reads = 0;
  const get = async (): Promise<ExecutionHook> => {
    reads += 1;
    if (reads > 3) throw new Error('the wait is longer than its timeout');
    return hook;
  };
  const client = { get } as unknown as KubeClient;
  try {
    expect(await untilThawed({ client }, [hook], { timeout: 0.01 })).toBe(1);
    expect(out.mock.calls).toEqual([['Thawed 0 of 1.\n']]);
  } finally {
    vi.restoreAllMocks();
  }
});
