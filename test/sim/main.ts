/**
 * `npm run sim -- --lifecycle NAME --seeds N [--from S]` runs seeds S to S + N - 1 and stops at the
 * first that breaks an invariant; `--seed S` replays that one and prints what happens in it, with `--focus PHASE` as
 * the seeds of `npm run sim:coverage` that concentrate on that phase. With `--shrink` it is
 * shrunk to the fewest faults that break it, and told as a story; `--keep NAME` writes it as a kept test.
 */
import { parseArgs } from 'node:util';

import { Faults } from './faults.ts';
import { lifecycles, type Simulation } from './lifecycles.ts';
import { replayCommand, runSeeds } from './run-seeds.ts';
import { reportShrunk } from './shrink-report.ts';
import { ignoreStuck } from './world.ts';

const { values } = parseArgs({
  options: {
    lifecycle: { type: 'string', default: 'engine' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    keep: { type: 'string' },
    focus: { type: 'string' },
  },
});

process.on('unhandledRejection', ignoreStuck);
process.exitCode = await main();

async function main(): Promise<number> {
  const { lifecycle, seed } = values;
  const simulate = lifecycles[lifecycle];
  const numbers = [seed ?? values.from, values.seeds].map(Number);
  const [from = 0, seeds = 0] = numbers;
  const unread = unreadOption();
  if (unread !== null) {
    console.error(unread);
    return 2;
  }
  if (
    simulate === undefined ||
    !numbers.every((number) => Number.isInteger(number) && number > 0)
  ) {
    console.error(
      `--lifecycle is one of ${Object.keys(lifecycles).join(', ')}; ` +
        `--seeds, --from and --seed are whole numbers from 1. ` +
        `Received --lifecycle ${lifecycle} and ${numbers.join(', ')}.`,
    );
    return 2;
  }
  if (seed !== undefined) return replayOrShrink(simulate, from);
  return runUntilOneFails(simulate, { lifecycle, from, seeds });
}

/** What says that an option would be left unread. */
function unreadOption(): string | null {
  const { seed, shrink, focus, keep } = values;
  if (seed === undefined && (shrink || focus !== undefined)) {
    return '--shrink and --focus are of one seed: give it as --seed S.';
  }
  if (keep === undefined || (shrink && /^[a-z0-9-]+$/.test(keep))) return null;
  return '--keep NAME is of --shrink, and NAME is of lower-case letters, digits and dashes.';
}

async function replayOrShrink(simulate: Simulation, seed: number): Promise<number> {
  const { lifecycle, keep, focus } = values;
  if (!values.shrink) return replay(simulate, seed);
  const report = await reportShrunk({ lifecycle, simulate, seed, focus, keep });
  for (const line of report ?? [`seed ${seed} breaks no invariant: there is nothing to shrink`]) {
    console.log(line);
  }
  return closeWith(report === null ? 1 : 0, report === null ? 0 : 1);
}

async function replay(simulate: Simulation, seed: number): Promise<number> {
  const trace = (line: string): void => {
    console.log(line);
  };
  const faults = new Faults({ mayFocus: true, focus: values.focus });
  const { violation, traceHash } = await simulate(seed, trace, faults);
  console.log(`trace ${traceHash.toString(16)}`);
  if (violation !== null)
    console.log(`seed ${seed} breaks ${violation.invariant}: ${violation.message}`);
  return closeWith(violation === null ? 1 : 0, violation === null ? 0 : 1);
}

async function runUntilOneFails(
  simulate: Simulation,
  { lifecycle, from, seeds }: { lifecycle: string; from: number; seeds: number },
): Promise<number> {
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
