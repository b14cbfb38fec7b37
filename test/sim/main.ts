/**
 * `npm run sim -- --lifecycle NAME --seeds N [--from S]` runs seeds S to S + N - 1, and stops at the first violation.
 * `--seed S` replays one seed and prints its events. `--focus PHASE` replays it as `npm run sim:coverage` runs its
 * seeds that concentrate on a phase. `--shrink` reduces the seed to the fewest faults that still violate the invariant,
 * and prints them as a story. `--keep NAME` writes the result as a kept test.
 */
import { Faults } from './faults.ts';
import { readSimOptions, type SimOptions } from './options.ts';
import { replayCommand, runSeeds } from './run-seeds.ts';
import { reportShrunk } from './shrink-report.ts';
import { ignoreStuck } from './world.ts';

process.on('unhandledRejection', ignoreStuck);
process.exitCode = await main();

async function main(): Promise<number> {
  const options = readSimOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  return options.isReplay ? replayOrShrink(options) : runUntilOneFails(options);
}

async function replayOrShrink(options: SimOptions): Promise<number> {
  const { lifecycle, simulate, from: seed, shrink, keep, focus } = options;
  if (!shrink) return replay(options);
  const report = await reportShrunk({ lifecycle, simulate, seed, focus, keep });
  for (const line of report ?? [`seed ${seed} breaks no invariant: there is nothing to shrink`]) {
    console.log(line);
  }
  return closeWith(report === null ? 1 : 0, report === null ? 0 : 1);
}

async function replay({ simulate, from: seed, focus }: SimOptions): Promise<number> {
  const trace = (line: string): void => {
    console.log(line);
  };
  const faults = new Faults({ mayFocus: true, focus });
  const { violation, traceHash } = await simulate(seed, trace, faults);
  console.log(`trace ${traceHash.toString(16)}`);
  if (violation !== null)
    console.log(`seed ${seed} breaks ${violation.invariant}: ${violation.message}`);
  return closeWith(violation === null ? 1 : 0, violation === null ? 0 : 1);
}

async function runUntilOneFails(options: SimOptions): Promise<number> {
  const { lifecycle, simulate, from, seeds } = options;
  const startedMs = performance.now();
  for await (const { seed, invariant, message } of runSeeds(simulate, { from, seeds })) {
    console.log(`${lifecycle}: seed ${seed} breaks ${invariant}: ${message}`);
    console.log(`replay it with: ${replayCommand(lifecycle, seed)}`);
    console.log(`and shrink it with: ${replayCommand(lifecycle, seed)} --shrink`);
    return closeWith(seed - from, 1);
  }
  const seconds = Math.max(1, Math.round((performance.now() - startedMs) / 1_000));
  console.log(`${lifecycle}: ${seeds} seeds passed in ${seconds} s`);
  return closeWith(seeds, 0);
}

function closeWith(passed: number, failed: number): number {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
