/** The records of one run as spans, one for each attempt. Pure. */
import type { AttemptResult, RunRecord } from '../../model/attempt.ts';
import type { Bar, BarOutcome } from '../bar.ts';

/** The fields that all spans of the run have in common. */
export type RunNaming = Pick<Bar, 'id' | 'lifecycle' | 'lane' | 'run' | 'point' | 'name'> &
  Partial<Pick<Bar, 'where' | 'next' | 'evidence'>>;

/**
 * Converts the attempts of one run to spans. `naming.id` is the id of the run, to which the number of the attempt is
 * appended. If the run is settled and an attempt has no end, the attempt is Unknown.
 */
export function runBars(records: readonly RunRecord[], naming: RunNaming): Bar[] {
  const { next, ...common } = naming;
  const settled = records.find((record) => record.type === 'RunSettled');
  const ends = new Map(
    records.flatMap((record) =>
      record.type === 'AttemptSettled' ? [[attemptId(record), record] as const] : [],
    ),
  );
  const bars = records.flatMap((record): Bar[] => {
    if (record.type !== 'AttemptStarted') return [];
    const end = ends.get(attemptId(record));
    const bar = { ...common, id: `${naming.id}/${attemptId(record)}`, kind: 'hook' } as const;
    const begun = { ...bar, attempt: record.attempt, startMs: record.atMs };
    if (end !== undefined) return [{ ...begun, endMs: end.atMs, ...resultOf(end.result, next) }];
    if (settled === undefined) return [{ ...begun, endMs: null, outcome: 'Running' }];
    const { atMs, reason } = settled;
    return [{ ...begun, endMs: atMs, outcome: 'Unknown', reason, ...nextOf(next) }];
  });
  return bars.length === 0 ? neverBegun(records, common) : bars;
}

function attemptId({ step, attempt }: { readonly step: string; readonly attempt: number }): string {
  return `${step}/${attempt}`;
}

function resultOf(
  result: AttemptResult,
  next: string | undefined,
): Omit<Partial<Bar>, 'outcome'> & Pick<Bar, 'outcome'> {
  const { outcome, exitCode, signal, reason, stdout, stderr } = result;
  return {
    outcome: outcomeOf(outcome),
    reason,
    ...(exitCode === null ? {} : { exitCode }),
    ...(signal === null ? {} : { signal }),
    ...(stdout.text === '' ? {} : { stdout: stdout.text }),
    ...(stderr.text === '' ? {} : { stderr: stderr.text }),
    ...(outcome === 'Succeeded' ? {} : nextOf(next)),
  };
}

/** The span of a run that was settled before its first attempt, such as a cancelled one; empty: it is not settled. */
function neverBegun(records: readonly RunRecord[], common: Omit<RunNaming, 'next'>): Bar[] {
  const opened = records.find((record) => record.type === 'RunOpened');
  const settled = records.find((record) => record.type === 'RunSettled');
  if (opened === undefined || settled === undefined) return [];
  const { outcome, reason, atMs } = settled;
  const times = { attempt: null, startMs: opened.atMs, endMs: atMs };
  return [{ ...common, kind: 'hook', ...times, outcome: outcomeOf(outcome), reason }];
}

function nextOf(next: string | undefined): Pick<Bar, 'next'> {
  return next === undefined ? {} : { next };
}

type Reported = 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Aborted' | 'Unknown';

/** Converts the outcome of a record or a status to that of a span; undefined: there is none yet. */
export function outcomeOf(reported: Reported | undefined): BarOutcome {
  if (reported === undefined) return 'Running';
  if (reported === 'TimedOut') return 'Failed';
  return reported === 'Aborted' ? 'Cancelled' : reported;
}

/** Parses an RFC 3339 text to milliseconds since 1970; null: the text is absent or invalid. */
export function msOf(time: string | undefined): number | null {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? null : ms;
}
