/** `lifehook runs`: what `lifehook ui` shows, as text. */
import process from 'node:process';

import { nodePlatform } from '../../platform/node-platform.ts';
import type { Lifecycle } from '../../timeline/bar.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import { type RunSummary, summarizeRuns } from '../../timeline/run-summary.ts';
import { exitCodes } from '../exit-codes.ts';
import { runsTable, runText } from './runs-text.ts';
import { openSources, type SourceOptions } from './sources.ts';

export interface RunsOptions extends SourceOptions {
  readonly output: string;
  readonly lifecycle?: Lifecycle;
  readonly limit: number;
}

const { clock } = nodePlatform;

export async function listRuns(options: RunsOptions): Promise<number> {
  const runs = (await foundRuns(options)).slice(0, options.limit);
  if (options.output === 'json') {
    const rows = runs.map((run) => ({ ...run, bars: run.bars.length }));
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  } else {
    process.stdout.write(runsTable(runs, clock.nowMs()));
  }
  return exitCodes.done;
}

/** `wanted`: its name as it is listed, or the last word of it, such as the id of a session; the newest of several. */
export async function showRun(wanted: string, options: RunsOptions): Promise<number> {
  const runs = await foundRuns(options);
  const found =
    runs.find(({ run }) => run === wanted) ?? runs.find(({ run }) => run.endsWith(` ${wanted}`));
  if (found === undefined) {
    process.stderr.write(`There is no run "${wanted}". Those that are there: lifehook runs list\n`);
    return exitCodes.failed;
  }
  const text = options.output === 'json' ? `${JSON.stringify(found, null, 2)}\n` : null;
  process.stdout.write(text ?? runText(found, clock.nowMs()));
  return exitCodes.done;
}

async function foundRuns(options: RunsOptions): Promise<RunSummary[]> {
  const store = new BarStore({ clock });
  const ending = new AbortController();
  const sources = await openSources(options, { store, signal: ending.signal });
  await Promise.all(sources.map(({ listed }) => listed()));
  ending.abort();
  for (const { name, problem } of store.sources()) {
    if (problem !== null) process.stderr.write(`warning: not all of ${name}: ${problem}\n`);
  }
  const { lifecycle } = options;
  const bars = [...store.all()].map(({ bar }) => bar);
  const meant = bars.filter((bar) => lifecycle === undefined || bar.lifecycle === lifecycle);
  return summarizeRuns(meant, clock.nowMs());
}
