import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';

/** A pod that stays until its finalizer is removed, like a pod with a grace period. */
function benchWithPod(): HookBench {
  const bench = new HookBench();
  bench.makePod('a', ['db'], { metadata: { finalizers: ['test/grace'] } });
  return bench;
}

describe('a pod that gets a deletionTimestamp', () => {
  it('is thawed at once while it is frozen, and the hook is released as Broken', async () => {
    const bench = benchWithPod();
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.removePod('a');
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
    expect(bench.hook('h')?.status?.release?.cause).toBe('Broken');
    expect(bench.targets()[0]).toMatchObject({
      thawedBy: 'post',
      freezeLost: { reason: 'the pod a is terminating' },
    });
    expect(bench.condition('Failed')).toBe('FreezeLost');
  });

  it('after its thaw has failed for long, and its container was restarted, is thawed at once', async () => {
    const bench = benchWithPod();
    bench.behaviours.set('thaw', { exitCode: 1 });
    bench.makeHook('h', { postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 1 } });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    bench.restartContainer('a', 'db');
    await bench.pass(1_000_000);
    bench.behaviours.delete('thaw');
    const askedMs = bench.world.elapsedMs;
    bench.removePod('a');
    await bench.eventually('gone', bench.isDeleted(), 1_000_000);
    expect(bench.world.elapsedMs - askedMs).toBeLessThan(2_500);
  });

  it('during the preAction is thawed when that has ended', async () => {
    const bench = benchWithPod();
    bench.behaviours.set('freeze', { exitCode: 0, ms: 3_000 });
    bench.makeHook('h');
    bench.start();
    await bench.eventually('begun', () => bench.ran.length === 1);
    bench.removePod('a');
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
    expect(bench.targets()[0]?.thawedBy).toBe('post');
  });

  it('before the hook begins is not frozen: the hook is refused', async () => {
    const bench = benchWithPod();
    bench.makePod('b');
    bench.removePod('a');
    bench.makeHook('h');
    bench.start();
    await bench.eventually('refused', bench.hasFailed());
    expect([bench.condition('Failed'), bench.commands()]).toEqual(['PodTerminating', []]);
  });

  it('after the hook was resolved, and before its freeze, is not frozen', async () => {
    const bench = benchWithPod();
    bench.makeHook('first');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('first'));
    bench.makeHook('h');
    await bench.eventually('waits', () => bench.condition('Frozen') === 'WaitsForHold');
    bench.removePod('a');
    await bench.eventually('failed', bench.hasFailed());
    await bench.eventually('settled', bench.isFree('first'));
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
  });
});
