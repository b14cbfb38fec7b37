/**
 * `npm run sim:million [-- --lifecycle NAME] [--seeds N] [--from S] [--workers N]` runs N seeds (default: a million) of
 * each lifecycle on all processors. It continues after a failure, and lists distinct failures at the end. If
 * interrupted, it prints the progress and the command that continues the work.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundle } from '../bundle.ts';
import { readMillionOptions } from '../command-options.ts';
import { ChunkQueue, type Work } from './chunks.ts';
import { Crew } from './crew.ts';
import { Tally } from './tally.ts';

const PROGRESS_MS = 10_000;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readMillionOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-million-'));
  try {
    const script = join(folder, 'worker.mjs');
    await bundle('test/sim/million/worker.ts', { outfile: script });
    return await run(options.work, { script, size: options.workers });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(
  work: Work,
  { script, size }: { readonly script: string; readonly size: number },
): Promise<number> {
  const startedMs = performance.now();
  const queue = new ChunkQueue(work);
  const tally = new Tally(work.lifecycles, work.seeds);
  const crew = new Crew({ script, size, queue, tally });
  const progress = setInterval(() => {
    console.log(tally.progress(performance.now() - startedMs));
  }, PROGRESS_MS);
  process.once('SIGINT', () => {
    crew.stop();
  });
  console.log(
    `seeds ${work.from} to ${work.from + work.seeds - 1} of ${work.lifecycles.join(', ')} on ${size} processes`,
  );
  await crew.work();
  clearInterval(progress);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`${tally.done} seeds in ${seconds} s`);
  for (const line of tally.summary()) console.log(line);
  if (crew.isStopped) console.log(`continue with: ${continueCommand(work, queue.firstUndone)}`);
  console.log(`${tally.done - tally.failed} passed, ${tally.failed} failed`);
  if (crew.isStopped) return 130;
  return tally.failed === 0 ? 0 : 1;
}

function continueCommand({ lifecycles: chosen, from, seeds }: Work, next: number): string {
  const [only = ''] = chosen;
  const choice = chosen.length === 1 ? `--lifecycle ${only} ` : '';
  return `npm run sim:million -- ${choice}--from ${next} --seeds ${from + seeds - next}`;
}
