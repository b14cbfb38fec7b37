/** A worker process of `npm run sim:million`: runs each chunk that it receives, and sends the result. */
import { lifecycles } from '../lifecycles.ts';
import { type FailedSeed, runSeeds } from '../run-seeds.ts';
import { ignoreStuck } from '../world.ts';
import type { Chunk, ChunkResult } from './messages.ts';

// Ctrl-C signals every process of the terminal, but only the parent decides when a worker exits.
process.on('SIGINT', () => {});
process.on('unhandledRejection', ignoreStuck);
process.on('disconnect', () => process.exit());
process.on('message', (chunk: Chunk) => {
  void run(chunk).then((result) => process.send?.(result));
});

async function run({ lifecycle, ...seeds }: Chunk): Promise<ChunkResult> {
  const simulate = lifecycles[lifecycle];
  if (simulate === undefined) throw new Error(`there is no lifecycle ${lifecycle}`);
  const before = process.cpuUsage();
  const failures: FailedSeed[] = [];
  for await (const failure of runSeeds(simulate, seeds)) failures.push(failure);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, failures };
}
