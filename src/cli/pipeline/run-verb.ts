/**
 * One verb from its command line to its exit code: the session is opened, the verb's story driven, the end told. The
 * exit code is 3 where a hook failed, 1 where a program did, and 130 after Ctrl-C; its own (PIPE-W4) where that is asked for.
 */
import { setMaxListeners } from 'node:events';
import process from 'node:process';

import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type { PhaseResult, PipelineSession } from '../../lifecycles/pipeline/session.ts';
import { errorText } from '../../platform/error-text.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportFailure } from '../report-failure.ts';
import { interruptions } from './interruptions.ts';
import type { ClusterNeed } from './kube-target.ts';
import { type OpenSession, openSession } from './open-session.ts';
import type { PipelineOptions, Verbosity } from './options.ts';
import { Printer, type Screen } from './printer.ts';

export interface Verb<T> {
  readonly name: string;
  /** Whose profiles are meant, where that is not this one. */
  readonly activates?: string;
  readonly need: ClusterNeed;
  /** stdout is for the result alone. */
  readonly resultOnStdout?: boolean;
  readonly drive: (session: PipelineSession, open: OpenSession) => Promise<PhaseResult<T>>;
  /** Prints or writes what came of it. */
  readonly finish?: (value: T) => void | Promise<void>;
}

/** With --quiet. */
const NOWHERE: Screen = { write: () => undefined, columns: () => null };

const MAX_LISTENERS = 10_000;

/** Rejects only where there could be no session. */
export async function runVerb<T>(options: PipelineOptions, verb: Verb<T>): Promise<number> {
  const screens = screensOf(process.stdout, process.stderr);
  const { err } = screens;
  const shown = verb.resultOnStdout === true ? err : screens.out;
  const out = options.quiet === true ? NOWHERE : shown;
  const printer = new Printer({ out, err, clock: nodePlatform.clock, timers: nodePlatform.timers });
  const listen = printTo(printer, options.verbosity);
  const { name, activates = name, need } = verb;
  // Every hook, request and connection of a session hears of its one end; Node warns from the eleventh on.
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
      return await drive(verb, open, { printer, flush: screens.flush, options });
    } finally {
      await open[Symbol.asyncDispose]();
    }
  } finally {
    printer.close();
    screens.flush();
  }
}

/** What is printed of the events: all but warnings from "error" on, and each in full from "debug" down. */
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

/** A hook's own code is never one of ours, unless the user asks for it. */
export function exitCodeOf(
  { outcome, exitCode, by }: Exclude<PhaseResult<unknown>, { outcome: 'Succeeded' }>,
  { compat, exitCodeFromHook = compat }: ExitOptions,
): number {
  if (outcome === 'Cancelled' || exitCodeFromHook) return exitCode;
  return by === 'hook' ? exitCodes.hookFailed : exitCodes.failed;
}

interface Shown {
  readonly printer: Printer;
  /** What comes after it is written past the printer. */
  readonly flush: () => void;
  readonly options: ExitOptions;
}

async function drive<T>(
  verb: Verb<T>,
  open: OpenSession,
  { printer, flush, options }: Shown,
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
    open.ended({ exitCode: exitCodes.failed, message });
    printer.close();
    flush();
    return reportFailure(error);
  }
}

/** Text that is held, UTF-16 units; more is written at once. */
const MAX_HELD_UNITS = 65_536;

/**
 * stdout and stderr as the printer writes to them: what is written in one turn of the event loop is one call of the
 * system, made after the turn's own work, and the order between the two stays. So the end of a hook and the start of the
 * next are one write, and that hook does not wait for it. A flood of output comes in pieces of a pipe's size, so that
 * little is held.
 */
export interface Screens {
  readonly out: Screen;
  readonly err: Screen;
  /** Writes what is held: before others write to the same streams, and at the end. */
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
