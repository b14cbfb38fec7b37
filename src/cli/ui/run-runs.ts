/** `lifehook runs`: what `lifehook ui` shows, as text. */
import process from 'node:process';

import { nodePlatform } from '../../platform/node-platform.ts';
import type { Lifecycle } from '../../timeline/bar.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import { type RunSummary, summarizeRuns } from '../../timeline/run-summary.ts';
import { DEFAULT_CLUSTER } from '../cluster/cluster-options.ts';
import { exitCodes } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { printListing } from '../listing.ts';
import { printed } from '../listing.ts';
import type { ListFormat, OutputFormat } from '../shared-options.ts';
import { runsListing, runText } from './runs-text.ts';
import { openSources, type SourceOptions } from './sources.ts';

export interface RunsOptions<Format = ListFormat> extends SourceOptions {
  readonly output: Format;
  readonly lifecycle?: Lifecycle;
  readonly limit: number;
}

const { clock } = nodePlatform;

export async function listRuns(options: RunsOptions): Promise<number> {
  const runs = (await foundRuns(options)).slice(0, options.limit);
  printListing(runsListing(runs, clock.nowMs()), options.output);
  return exitCodes.done;
}

/** `wanted`: its name as it is listed, or the last word of it, such as the id of a session; the newest of several. */
export async function showRun(wanted: string, options: RunsOptions<OutputFormat>): Promise<number> {
  const runs = await foundRuns(options);
  const found =
    runs.find(({ run }) => run === wanted) ?? runs.find(({ run }) => run.endsWith(` ${wanted}`));
  if (found === undefined) {
    process.stderr.write(`There is no run "${wanted}". Those that are there: lifehook runs list\n`);
    return exitCodes.failed;
  }
  process.stdout.write(printed(found, options.output, () => runText(found, clock.nowMs())));
  return exitCodes.done;
}

/** What `runs show` takes of each, newest first. */
export async function runIds(options: KubeOptions): Promise<readonly string[]> {
  const runs = await foundRuns({ ...options, cluster: DEFAULT_CLUSTER, limit: IDS_MAX });
  return runs.slice(0, IDS_MAX).map(({ run }) => run.split(' ').at(-1) ?? run);
}

const IDS_MAX = 100;

async function foundRuns(options: Omit<RunsOptions, 'output'>): Promise<RunSummary[]> {
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
