import { expect, it } from 'vitest';

import { SimBench } from '../../../test/sim/controller/sim-bench.ts';
import { deadline } from './uninstall.ts';

it('gives each step its own time, and names the step that takes longer', async () => {
  const bench = new SimBench();
  const { clock, timers } = bench.host;
  const until = deadline(60, { clock, timers });
  const lookFor = async (seconds: number): Promise<readonly string[]> =>
    clock.monotonicMs() < endMs(seconds) ? ['pod web'] : [];
  const endMs = (seconds: number): number => seconds * 1_000;
  await bench.until(until('The cleanup', () => lookFor(50)));
  await bench.until(until('The deletion', () => lookFor(100)));
  await expect(bench.until(until('The stop', () => lookFor(1_000)))).rejects.toThrow(
    'LHK040: The stop took longer than 60 s; still left: pod web.',
  );
});
