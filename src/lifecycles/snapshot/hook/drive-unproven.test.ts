import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import type { ExecutionHookSpec } from '../kinds.ts';
import { HOOK_FINALIZER, TAKEN_ON } from '../names.ts';

const kernel: Partial<ExecutionHookSpec> = {
  lockScope: 'Kernel',
  preAction: { exec: { command: ['freeze'] } },
  postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 3 },
};

/** Makes a pod whose container mounts a claim. */
function makePod(bench: HookBench, name: string, claimName: string): void {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
  const containers = [{ name: 'db', volumeMounts: [{ name: 'data', mountPath: '/data' }] }];
  bench.makePod(name, ['db'], { spec: { nodeName: 'node-1', containers, volumes } });
}

async function frozen(bench: HookBench, spec: Partial<ExecutionHookSpec>): Promise<void> {
  makePod(bench, 'a', 'data');
  bench.makeHook('h', spec);
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
}

describe('a lock that outlives its container, whose pod is deleted', () => {
  it('is unproven, and never counts as thawed', async () => {
    const bench = new HookBench();
    await frozen(bench, kernel);
    bench.removePod('a');
    await bench.eventually('unproven', () => bench.condition('ThawUnproven') !== undefined);
    await bench.pass(60_000);
    const [target] = bench.targets();
    expect(target).toMatchObject({
      thawUnproven: { reason: 'the pod a is deleted' },
      claimNames: ['data'],
      postActionStatus: { actionSucceed: false },
    });
    expect(target?.thawedBy).toBeUndefined();
    const { postActionSucceed } = bench.hook('h')?.status ?? {};
    expect([postActionSucceed, bench.hook('h')?.metadata?.finalizers]).toEqual([
      false,
      [HOOK_FINALIZER],
    ]);
    expect(bench.events().filter((each) => each.startsWith('ThawUnproven'))).toHaveLength(1);
    expect(bench.commands()).toEqual(['freeze a/db']);
  });

  it('blocks each hook of the same claim until a person releases it, also after a restart', async () => {
    const bench = new HookBench();
    await frozen(bench, kernel);
    bench.removePod('a');
    await bench.eventually('unproven', () => bench.condition('ThawUnproven') !== undefined);
    bench.start();
    makePod(bench, 'b', 'data');
    makePod(bench, 'c', 'other');
    const selecting = (podName: string): Partial<ExecutionHookSpec> => ({
      podContainerNamesList: [{ podName, containerNames: ['db'] }],
    });
    bench.makeHook('same', selecting('b'));
    bench.makeHook('other', selecting('c'));
    await bench.eventually('other is frozen', bench.isFrozen('other'));
    await bench.eventually(
      'same waits',
      () => bench.condition('Frozen', 'same') === 'ThawUnproven',
    );
    await bench.pass(60_000);
    expect(bench.commands()).toEqual(['freeze a/db', 'freeze c/db']);
    bench.annotate('h', { [TAKEN_ON]: 'anna' });
    await bench.eventually('same is frozen', bench.isFrozen('same'));
    expect(bench.targets()[0]?.thawedBy).toBe('released');
    expect(bench.condition('ThawUnproven')).toBe('Settled');
  });

  it('is thawed if the thaw that was under way has succeeded', async () => {
    const bench = new HookBench();
    bench.behaviours.set('thaw', { exitCode: 0, ms: 1_000 });
    await frozen(bench, kernel);
    bench.deleteHook('h');
    await bench.eventually('thaw begun', () => bench.ran.length === 2);
    bench.removePod('a');
    await bench.eventually('deleted', bench.isDeleted());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
  });

  it('is unproven if the thaw that was under way has failed', async () => {
    const bench = new HookBench();
    bench.behaviours.set('thaw', { lostAfterMs: 1_000 });
    await frozen(bench, kernel);
    bench.deleteHook('h');
    await bench.eventually('thaw begun', () => bench.ran.length === 2);
    bench.removePod('a');
    await bench.eventually('unproven', () => bench.condition('ThawUnproven') !== undefined);
    expect(bench.condition('Thawed')).toBe('ThawUnproven');
  });

  it('is thawed in a container that restarted', async () => {
    const bench = new HookBench();
    await frozen(bench, kernel);
    bench.restartContainer('a', 'db');
    await bench.eventually('settled', bench.isFree());
    expect(bench.targets()[0]?.thawedBy).toBe('post');
  });
});

it('a lock of a process ends with its pod', async () => {
  const bench = new HookBench();
  await frozen(bench, { ...kernel, lockScope: 'Process' });
  bench.removePod('a');
  await bench.eventually('settled', bench.isFree());
  expect(bench.targets()[0]?.thawedBy).toBe('gone');
});
