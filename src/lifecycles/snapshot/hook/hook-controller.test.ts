import { expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';

it('freezes for a hook that a user creates, without a snapshot, and thaws when it is deleted (SNAP-R26)', async () => {
  const bench = new HookBench();
  bench.makePod('a');
  bench.makeHook('by-hand');
  bench.start();
  await bench.eventually('frozen', bench.isFrozen('by-hand'));
  bench.deleteHook('by-hand');
  await bench.eventually('thawed', () => bench.commands().includes('thaw a/db'));
  expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
});

it('thaws a deleted hook before it freezes 100 new ones', async () => {
  const bench = new HookBench();
  const names = Array.from({ length: 100 }, (_, index) => `new-${index}`);
  for (const name of ['a', ...names]) bench.makePod(name);
  const hookOf = (pod: string): void => {
    bench.makeHook(pod, { podContainerNamesList: [{ podName: pod, containerNames: ['db'] }] });
  };
  hookOf('a');
  bench.start();
  await bench.eventually('frozen', bench.isFrozen('a'));
  for (const name of names) hookOf(name);
  bench.deleteHook('a');
  await bench.eventually('thaw begun', () => bench.commands().includes('thaw a/db'));
  // Only reconciles that had already started may run before the thaw.
  expect(bench.commands().indexOf('thaw a/db')).toBeLessThan(20);
});
