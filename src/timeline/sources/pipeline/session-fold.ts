/**
 * One session of a pipeline as spans: its hooks from the journal of their runs, its phases and skipped steps from its
 * events. The two files are read in parallel, and the result does not depend on which one is ahead. Pure.
 */
import type { PipelineEvent } from '../../../lifecycles/pipeline/events/pipeline-event.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import type { Bar } from '../../bar.ts';
import { runBars } from '../run-bars.ts';

export interface SessionFacts {
  /** Id of the session, eight hexadecimal digits. */
  readonly id: string;
  /** The pipeline command, such as "dev" or "run". */
  readonly verb: string;
  /** Absolute directory of skaffold.yaml: places in that file are shown relative to it. */
  readonly folder: string;
}

/** The position and the advice of a failed hook; stored by the id of its run. */
interface FailureNote {
  readonly where?: string;
  readonly next: string;
}

/** Maximum number of remembered runs that may still get a record or a note. */
const MAX_RUNS = 2_000;

export class SessionFold {
  readonly #facts: SessionFacts;
  readonly #runs = new Map<string, RunRecord[]>();
  readonly #notes = new Map<string, FailureNote>();
  /** Phases and hooks that have not ended, by id. */
  readonly #open = new Map<string, Bar>();
  /** Id of the phase that has not ended, by track. */
  readonly #phases = new Map<string, string>();
  #lastMs = 0;

  constructor(facts: SessionFacts) {
    this.#facts = facts;
  }

  /** Returns the spans that are new or have changed. */
  record(record: RunRecord): Bar[] {
    this.#lastMs = Math.max(this.#lastMs, record.atMs);
    // The journal may have been rewritten: then each run starts again from its first record.
    if (record.type === 'RunOpened') this.#runs.set(record.runId, []);
    const records = this.#runs.get(record.runId);
    if (records === undefined) return [];
    records.push(record);
    dropOldest(this.#runs);
    return this.#barsOf(record.runId);
  }

  /** Returns the spans that are new or have changed. */
  event(event: PipelineEvent): Bar[] {
    this.#lastMs = Math.max(this.#lastMs, event.atMs);
    switch (event.type) {
      case 'HostCallbackEvent':
      case 'ContainerCallbackEvent':
        return this.#callback(event);
      case 'PhaseEvent':
        return this.#phase(event);
      case 'Ended':
        return this.#endAll('Cancelled', 'The session ended before this ended.');
      case 'HookCounts':
      case 'Output':
      case 'PortsClosed':
      case 'Iteration':
      case 'Warning':
        return [];
      default:
        return event satisfies never;
    }
  }

  /**
   * Call it when the session's process has exited and everything was read. Open spans get an end that was not observed.
   * `printed` are the last output lines of the session; each span gets those of its hook.
   */
  close(printed: readonly Output[]): Bar[] {
    this.#lastMs = Math.max(this.#lastMs, printed.at(-1)?.atMs ?? 0);
    const reason =
      'Its session was killed, and recorded nothing more; its commands may still be running.';
    return this.#endAll('Unknown', reason).map((bar) => withOutput(bar, printed));
  }

  #barsOf(runId: string): Bar[] {
    const records = this.#runs.get(runId) ?? [];
    const [opened] = records;
    if (opened?.type !== 'RunOpened') return [];
    const address = opened.steps[0]?.name ?? opened.title;
    const bars = runBars(records, {
      id: `pipeline/${this.#facts.id}/${runId}`,
      lifecycle: 'pipeline',
      ...hookPlace(address),
      run: this.#run,
      name: address,
      next: `lifehook pipeline rerun ${runId}`,
      ...this.#notes.get(runId),
    });
    for (const bar of bars) this.#keepOpen(bar);
    return bars;
  }

  #callback(event: Callback): Bar[] {
    const { status, address, message = '', atMs } = event;
    if (status === 'Skipped') {
      const id = `pipeline/${this.#facts.id}/skipped/${address}/${atMs}`;
      const place = { ...hookPlace(address), name: address, run: this.#run };
      const times = { attempt: null, startMs: atMs, endMs: atMs };
      return [
        {
          id,
          lifecycle: 'pipeline',
          kind: 'hook',
          ...place,
          ...times,
          outcome: 'Skipped',
          reason: message,
        },
      ];
    }
    const [, next, runId] = /again: (lifehook pipeline rerun (\S+))/.exec(message) ?? [];
    if (next === undefined || runId === undefined) return [];
    const place = /^(\S.*?:\d+:\d+): error/.exec(message)?.[1];
    const where = place?.replace(`${this.#facts.folder}/`, '');
    this.#notes.set(runId, { next, ...(where === undefined ? {} : { where }) });
    dropOldest(this.#notes);
    return this.#barsOf(runId);
  }

  #phase(event: Phase): Bar[] {
    const { phase, subject } = event;
    const lane = subject === undefined ? phase : `${phase}/${subject}`;
    const known = this.#open.get(this.#phases.get(lane) ?? '');
    const bar = known ?? this.#beginPhase(event, lane);
    const ended = { ...bar, ...endOf(event) };
    if (ended.endMs === null) this.#phases.set(lane, ended.id);
    else this.#phases.delete(lane);
    this.#keepOpen(ended);
    return [ended];
  }

  /** The start is computed from the duration, since some phases are reported only when they have ended. */
  #beginPhase({ phase, subject, durationMs = 0, atMs }: Phase, lane: string): Omit<Bar, 'outcome'> {
    const startMs = Math.round(atMs - durationMs);
    return {
      id: `pipeline/${this.#facts.id}/phase/${lane}/${startMs}`,
      lifecycle: 'pipeline',
      lane,
      kind: 'phase',
      run: this.#run,
      point: phase,
      name: subject ?? phase,
      attempt: null,
      startMs,
      endMs: null,
    };
  }

  get #run(): string {
    return `${this.#facts.verb} ${this.#facts.id}`;
  }

  #keepOpen(bar: Bar): void {
    if (bar.endMs === null) this.#open.set(bar.id, bar);
    else this.#open.delete(bar.id);
  }

  #endAll(outcome: 'Cancelled' | 'Unknown', reason: string): Bar[] {
    const ended = [...this.#open.values()].map((bar) => ({
      ...bar,
      endMs: Math.max(bar.startMs, this.#lastMs),
      outcome,
      reason,
    }));
    this.#open.clear();
    this.#phases.clear();
    return ended;
  }
}

type Callback = Extract<PipelineEvent, { type: 'HostCallbackEvent' | 'ContainerCallbackEvent' }>;
type Output = Extract<PipelineEvent, { type: 'Output' }>;
type Phase = Extract<PipelineEvent, { type: 'PhaseEvent' }>;

function endOf({ status, message, atMs }: Phase): Pick<Bar, 'endMs' | 'outcome' | 'reason'> {
  const reason = message === undefined ? {} : { reason: message };
  if (status === 'InProgress') return { endMs: null, outcome: 'Running', ...reason };
  return { endMs: atMs, outcome: status, ...reason };
}

/** Adds the output from the events to a span. The output of a hook is in its record only after the hook has ended. */
function withOutput(bar: Bar, printed: readonly Output[]): Bar {
  if (bar.kind !== 'hook') return bar;
  const own = printed.filter(
    ({ source, atMs }) =>
      atMs >= bar.startMs && (source === bar.name || source.startsWith(`${bar.name} `)),
  );
  const textOf = (stream: 'stdout' | 'stderr'): string =>
    own.flatMap((one) => (one.stream === stream ? [`${one.line}\n`] : [])).join('');
  return { ...bar, stdout: textOf('stdout'), stderr: textOf('stderr') };
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_RUNS && oldest !== undefined) map.delete(oldest);
}

/**
 * The track and the point of a pipeline hook, by its address. Worked examples:
 *   build/web/after/0             lane "build/web",           point "build after"
 *   shop:deploy/kubectl/before/1  lane "shop:deploy/kubectl", point "deploy before"
 *   cleanup/finally/0             lane "cleanup",             point "cleanup finally"
 */
export function hookPlace(address: string): Pick<Bar, 'lane' | 'point'> {
  const found = /^((?:[^/]*:)?(\w+)(?:\/.+)?)\/(before|after|onError|finally)\/\d+$/.exec(address);
  const [, lane, phase, when] = found ?? [];
  if (lane === undefined) return { lane: address, point: 'hook' };
  return { lane, point: `${phase} ${when}` };
}
