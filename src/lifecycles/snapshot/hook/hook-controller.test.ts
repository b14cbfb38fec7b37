import { expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';

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
