/**
 * Runs one verb from its command line to its exit code: opens the session, runs the verb, reports the outcome. The exit
 * code is 3 if a hook failed, 1 if a program failed, and 130 after Ctrl-C. On request it is the code of the failed step
 * (PIPE-W4).
 */
import { setMaxListeners } from 'node:events';
import process from 'node:process';

import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type {
  PhaseFailure,
  PhaseResult,
  PipelineSession,
} from '../../lifecycles/pipeline/session.ts';
import { errorText } from '../../platform/error-text.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { CancelSignal, Clock } from '../../platform/platform.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportFailure } from '../report-failure.ts';
import type { ClusterNeed } from './kube-target.ts';
import { type OpenSession, openSession } from './open-session.ts';
import type { PipelineOptions, Verbosity } from './options.ts';
import { Printer, type Screen } from './printer.ts';

export interface Verb<T> {
  readonly name: string;
  /** The verb whose profiles are activated; absent: this verb. */
  readonly activates?: string;
  readonly need: ClusterNeed;
  /** stdout is reserved for the result. */
  readonly resultOnStdout?: boolean;
  readonly drive: (session: PipelineSession, open: OpenSession) => Promise<PhaseResult<T>>;
  /** Prints or writes the result of a successful run. */
  readonly finish?: (value: T) => void | Promise<void>;
}

/** Replaces the screen for --quiet. */
const NOWHERE: Screen = { write: () => undefined, columns: () => null };

const MAX_LISTENERS = 10_000;

/** Rejects only if the session could not be opened. */
export async function runVerb<T>(options: PipelineOptions, verb: Verb<T>): Promise<number> {
  const screens = screensOf(process.stdout, process.stderr);
  const { err } = screens;
  const shown = verb.resultOnStdout === true ? err : screens.out;
  const out = options.quiet === true ? NOWHERE : shown;
  const printer = new Printer({ out, err, clock: nodePlatform.clock, timers: nodePlatform.timers });
  const listen = printTo(printer, options.verbosity);
  const { name, activates = name, need } = verb;
  // Every hook, request and connection listens to the end of the session, but Node warns above ten listeners.
  setMaxListeners(MAX_LISTENERS);
  const { signal, hurry } = interruptions(nodePlatform.clock);
  try {
    const asked = { verb: name, activates, need, signal, hurry, listen };
    const open = await openSession(options, asked);
    if (open.eventsUrl !== null) printer.progress(`events: ${open.eventsUrl}`);
    signal.addEventListener('abort', () => {
      printer.progress('Stopping: running cleanup hooks (press Ctrl-C again to skip them)');
    });
    try {
      return await drive(verb, open, { printer, flush: screens.flush, options, signal });
    } finally {
      await open[Symbol.asyncDispose]();
    }
  } finally {
    printer.close();
    screens.flush();
  }
}

/**
 * Prints the events. At verbosity "error" and above it omits warnings; at "debug" and below it also prints each event
 * in full.
 */
function printTo(printer: Printer, verbosity: Verbosity = 'warn'): (events: EventStream) => void {
  const isQuiet = ['error', 'fatal', 'panic'].includes(verbosity);
  const isFull = ['debug', 'trace'].includes(verbosity);
  const onEvent = (event: PipelineEvent): void => {
    if (isFull) printer.problem(`debug ${JSON.stringify(event)}`);
    if (!isQuiet || event.type !== 'Warning') printer.listen(event);
  };
  return (events) => {
    if (isFull) events.listen(onEvent);
    else events.listen(onEvent, printer.lines);
  };
}

type ExitOptions = Pick<PipelineOptions, 'compat' | 'exitCodeFromHook'>;

/** The exit code of a verb that failed or was cancelled. On request it is that of the step that failed. */
export function exitCodeOf(
  { outcome, exitCode, by }: PhaseFailure,
  { compat, exitCodeFromHook = compat }: ExitOptions,
): number {
  if (outcome === 'Cancelled' || exitCodeFromHook) return exitCode;
  return by === 'hook' ? exitCodes.hookFailed : exitCodes.failed;
}

interface Shown {
  readonly printer: Printer;
  /** Writes the buffered text. Call it before code that bypasses the printer writes to the same streams. */
  readonly flush: () => void;
  readonly options: ExitOptions;
  /** Aborts at an interruption. */
  readonly signal: CancelSignal;
}

async function drive<T>(
  verb: Verb<T>,
  open: OpenSession,
  { printer, flush, options, signal }: Shown,
): Promise<number> {
  try {
    const result = await verb.drive(open.session, open);
    if (result.outcome === 'Succeeded') {
      flush();
      await verb.finish?.(result.value);
      open.ended({ exitCode: exitCodes.done });
      return exitCodes.done;
    }
    const { message, exitCode: ownExitCode } = result;
    const exitCode = exitCodeOf(result, options);
    open.ended({ exitCode, ownExitCode, message });
    printer.close();
    printer.problem(message);
    return exitCode;
  } catch (error) {
    const message = errorText(error);
    // An interruption also ends requests, which then fail.
    const interrupted = signal.aborted;
    open.ended({ exitCode: interrupted ? exitCodes.interrupted : exitCodes.failed, message });
    printer.close();
    flush();
    const exitCode = reportFailure(error);
    return interrupted ? exitCodes.interrupted : exitCode;
  }
}

/** Maximum buffered text in UTF-16 units; a longer text is written at once. */
const MAX_HELD_UNITS = 65_536;

/**
 * stdout and stderr of the printer. All writes of one turn of the event loop become one system call after the turn's
 * own work; the order between the two streams stays. So the end of a hook and the start of the next are one write, and
 * the next hook does not wait for that write. Much output is written in pieces of a pipe's size, so that the buffer
 * stays small.
 */
export interface Screens {
  readonly out: Screen;
  readonly err: Screen;
  /** Writes the buffered text: call it before other code writes to the same streams, and at the end. */
  readonly flush: () => void;
}

export function screensOf(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Screens {
  let held: string[] = [];
  let units = 0;
  let of = out;
  let due: NodeJS.Immediate | null = null;
  const flush = (): void => {
    if (due !== null) clearImmediate(due);
    due = null;
    const text = held.join('');
    held = [];
    units = 0;
    if (text !== '') of.write(text);
  };
  const screenOf = (stream: NodeJS.WriteStream): Screen => ({
    write: (text) => {
      if (of !== stream) flush();
      of = stream;
      due ??= setImmediate(flush);
      held.push(text);
      units += text.length;
      if (units > MAX_HELD_UNITS) flush();
    },
    columns: () => (stream.isTTY && process.env['TERM'] !== 'dumb' ? stream.columns : null),
  });
  return { out: screenOf(out), err: screenOf(err), flush };
}

/**
 * The interruptions by SIGINT (Ctrl-C), SIGHUP or SIGTERM. After the first one no main step starts, the running ones
 * are stopped, and the cleanup steps still run. The next one also stops the cleanup steps.
 */
export interface Interruptions {
  readonly signal: AbortSignal;
  readonly hurry: AbortSignal;
}

/**
 * Milliseconds within which two signals count as one: a parent process may forward a signal that the terminal has
 * already sent.
 */
export const SAME_ONE_MS = 300;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Counts the interruptions of a session by signals. `source`: emits the signals; this process, except in tests. */
export function interruptions(
  clock: Pick<Clock, 'monotonicMs'>,
  source: { on(signal: NodeJS.Signals, listener: () => void): unknown } = process,
): Interruptions {
  const [first, second] = [new AbortController(), new AbortController()];
  let firstMs = 0;
  const interrupted = (name: NodeJS.Signals) => (): void => {
    const nowMs = clock.monotonicMs();
    if (!first.signal.aborted) {
      firstMs = nowMs;
      first.abort(name);
    } else if (nowMs - firstMs >= SAME_ONE_MS) {
      second.abort(name);
    }
  };
  for (const one of SIGNALS) source.on(one, interrupted(one));
  return { signal: first.signal, hurry: second.signal };
}
