/** Runs as text for a terminal. Pure. */
import type { Bar } from '../../timeline/bar.ts';
import type { RunSummary } from '../../timeline/run-summary.ts';
import { type Listing, toneOf } from '../listing.ts';

const MS_PER_SECOND = 1_000;
/** Of an output. */
const LAST_LINES = 10;

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
      // What a snapshot keeps of its hooks is how long they froze, not each attempt.
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

/** "Failed (Inconsistent)": of a snapshot with the word of its verdict. */
function endText({ outcome, verdict }: Pick<RunSummary, 'outcome' | 'verdict'>): string {
  return verdict === undefined ? outcome : `${outcome} (${verdict.split(':')[0] ?? ''})`;
}

/** Each bar with when it began, how it ended, and of what did not end well all that is known. */
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

/** What a hook has printed must not move the cursor of who reads it. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
}

function timeText(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2)} s`;
}
