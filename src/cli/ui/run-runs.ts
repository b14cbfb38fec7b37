/** `lifehook runs`: prints the runs of `lifehook ui` as text. */
import process from 'node:process';

import { nodePlatform } from '../../platform/node-platform.ts';
import { BarStore } from '../../timeline/bar-store.ts';
import type { Bar, Lifecycle } from '../../timeline/bar.ts';
import { type RunSummary, summarizeRuns } from '../../timeline/run-summary.ts';
import { DEFAULT_CLUSTER } from '../cluster/up-command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import { type Listing, printed, printListing, toneOf } from '../listing.ts';
import type { ListFormat, OutputFormat } from '../shared-options.ts';
import { printable } from '../terminal-text.ts';
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

/** Prints one run. `wanted` is as for `findRun`. */
export async function showRun(wanted: string, options: RunsOptions<OutputFormat>): Promise<number> {
  const runs = await foundRuns(options);
  const found = findRun(runs, wanted);
  if (found === undefined) {
    process.stderr.write(`There is no run "${wanted}". List the runs: lifehook runs list\n`);
    return exitCodes.failed;
  }
  process.stdout.write(printed(found, options.output, () => runText(found, clock.nowMs())));
  return exitCodes.done;
}

/**
 * Finds a run by its listed name, by the last word of that name, such as the id of a session, or by its target and
 * name: each Deployment has a "rollout 2" of its own. If several match, the first of them is found, which is the
 * newest.
 */
export function findRun(runs: readonly RunSummary[], wanted: string): RunSummary | undefined {
  return (
    runs.find(({ run }) => run === wanted) ??
    runs.find(({ run, lanes }) => lanes.some((lane) => `${lane} ${run}` === wanted)) ??
    runs.find(({ run }) => run.endsWith(` ${wanted}`))
  );
}

/** The names of runs that `runs show` accepts, newest first. */
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
    if (problem !== null) process.stderr.write(`warning: ${name} is incomplete: ${problem}\n`);
  }
  const { lifecycle } = options;
  const bars = [...store.all()].map(({ bar }) => bar);
  const meant = bars.filter((bar) => lifecycle === undefined || bar.lifecycle === lifecycle);
  return summarizeRuns(meant, clock.nowMs());
}

const MS_PER_SECOND = 1_000;
/** Maximum number of output lines that are printed. */
const LAST_LINES = 10;

/** The listing of runs for a terminal. Pure. */
export function runsListing(runs: readonly RunSummary[], nowMs: number): Listing<RunSummary> {
  return {
    items: runs,
    value: runs.map((run) => ({ ...run, bars: run.bars.length })),
    nameOf: ({ run }) => run,
    columns: [
      { heading: 'STARTED', cell: ({ startMs }) => new Date(startMs).toISOString() },
      { heading: 'LIFECYCLE', cell: ({ lifecycle }) => lifecycle },
      { heading: 'RUN', cell: ({ run }) => run },
      { heading: 'TARGET', cell: targetText },
      // Empty for a snapshot, which records how long its hooks froze but not each attempt.
      {
        heading: 'HOOKS',
        cell: ({ attempts, frozenMs }) =>
          attempts === 0 && frozenMs !== null ? '' : `${attempts}`,
      },
      { heading: 'OUTCOME', cell: endText, tone: ({ outcome }) => toneOf(outcome) },
      { heading: 'TOOK', cell: ({ startMs, endMs }) => timeText((endMs ?? nowMs) - startMs) },
      {
        heading: 'FROZEN',
        cell: ({ frozenMs }) => (frozenMs === null ? '' : timeText(frozenMs)),
      },
      { heading: 'TARGETS', cell: ({ lanes }) => lanes.join(', '), isWide: true },
      { heading: 'VERDICT', cell: ({ verdict = '' }) => verdict, isWide: true },
    ],
  };
}

function targetText({ lanes }: RunSummary): string {
  return `${lanes[0] ?? ''}${lanes.length > 1 ? ` +${lanes.length - 1}` : ''}`;
}

/** The outcome of a run, with the verdict for a snapshot: "Failed (Inconsistent)". */
function endText({ outcome, verdict }: Pick<RunSummary, 'outcome' | 'verdict'>): string {
  return verdict === undefined ? outcome : `${outcome} (${verdict.split(':')[0] ?? ''})`;
}

/** The text of a run: each span with its start and outcome; a failed span with all its details. */
export function runText(
  { lifecycle, run, startMs, bars, ...end }: RunSummary,
  nowMs: number,
): string {
  const head = `${lifecycle} ${run}: ${endText(end)}, since ${new Date(startMs).toISOString()}\n`;
  return head + bars.map((bar) => barText(bar, startMs, nowMs)).join('');
}

function barText(bar: Bar, sinceMs: number, nowMs: number): string {
  const { lane, point, name, attempt, kind, startMs, endMs, outcome } = bar;
  const after = `+${((startMs - sinceMs) / MS_PER_SECOND).toFixed(3)}`.padStart(PLACE_WIDTH);
  const tries = attempt !== null && attempt > 1 ? ` (attempt ${attempt})` : '';
  const what = kind === 'hook' || kind === 'phase' ? `${point} ${name}${tries}` : kind;
  const took = kind === 'cut' ? '' : ` in ${timeText((endMs ?? nowMs) - startMs)}`;
  const line = `${after}  ${lane}  ${what}: ${outcome}${took}\n`;
  const isGood = outcome === 'Succeeded' || outcome === 'Skipped';
  const rows = isGood ? [] : detailOf(bar);
  return line + rows.map((row) => `${' '.repeat(PLACE_WIDTH + 2)}${printable(row)}\n`).join('');
}

const PLACE_WIDTH = 10;

function detailOf({ reason, where, stdout, stderr, next }: Bar): string[] {
  const output = `${stdout ?? ''}${stderr ?? ''}`.trimEnd();
  const last = output === '' ? [] : output.split('\n').slice(-LAST_LINES);
  return [
    ...(reason === undefined ? [] : reason.split('\n')),
    ...(where === undefined ? [] : [`at ${where}`]),
    ...last.map((text) => `| ${text}`),
    ...(next === undefined ? [] : [`next: ${next}`]),
  ];
}

function timeText(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2)} s`;
}
