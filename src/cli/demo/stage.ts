/** Shows, runs and watches the commands of the demonstration, and checks their outcomes. */
import { spawn } from 'node:child_process';
import process from 'node:process';

import { exitText } from '../../platform/error-text.ts';
import type { DemoWorld } from './demo-world.ts';
import type { Narrator } from './narrator.ts';

export interface Stage {
  readonly say: Narrator;
  readonly world: DemoWorld;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Run {
  /** The command to show, without options that only the demonstration needs; absent: the command itself is shown. */
  readonly shown?: string;
  readonly cwd?: string;
  /** Returns true if the exit code is the expected one. Absent: 0 is expected. */
  readonly endsWell?: (code: number | null) => boolean;
  /** Text for the line of the current state, such as "812 orders, 0 failed requests". */
  readonly details?: () => string;
  /** Replaces the signal of the demonstration. Cleanup commands set it, because Ctrl-C must not stop them. */
  readonly signal?: AbortSignal;
}

/** A command or a wait of the demonstration failed, and the rest cannot be shown. */
export class DemoBroken extends Error {}

const TICK_MS = 120;
const POLL_MS = 100;
/** Number of output lines of a failed command that are shown. */
const LINES_REPORTED_MAX = 20;

/** Shows a command, runs it, and resolves when it has the expected outcome. Rejects with DemoBroken. */
export async function run(
  stage: Stage,
  args: readonly string[],
  options: Run = {},
): Promise<CommandEnd> {
  stage.say.command(options.shown ?? `lifehook ${args.join(' ')}`);
  return ask(stage, args, options);
}

/** Like `run`, without showing the command. */
export async function ask(
  { say, world, signal }: Stage,
  args: readonly string[],
  options: Run = {},
): Promise<CommandEnd> {
  const shown = options.shown ?? `lifehook ${args.join(' ')}`;
  const stopReporting = reportProgress(say, options.details);
  const end = await runCommand(args, {
    cwd: options.cwd ?? world.folder,
    env: world.env,
    signal: options.signal ?? signal,
  });
  stopReporting();
  const endsWell = options.endsWell ?? ((code): boolean => code === 0);
  if (endsWell(end.code)) return end;
  if (options.signal === undefined) signal.throwIfAborted();
  const reported = end.output.trimEnd().split('\n').slice(-LINES_REPORTED_MAX);
  say.claim(`${shown} ends as expected`, false, `it ${end.how}, and printed`);
  for (const line of reported) say.fact(`| ${line}`);
  throw new DemoBroken(shown);
}

/** Polls until `look` finds a value. Rejects with DemoBroken after the deadline. */
export async function eventually<Value>(
  { say, signal }: Stage,
  { what, seconds }: { readonly what: string; readonly seconds: number },
  look: () => Promise<Value | null>,
): Promise<Value> {
  const endMs = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await look();
    if (value !== null) return value;
    signal.throwIfAborted();
    if (performance.now() > endMs) {
      say.claim(what, false, `not within ${seconds} s`);
      throw new DemoBroken(what);
    }
    say.live(what);
    await pause(POLL_MS);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Example: "1.4 s" */
export function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function reportProgress(say: Narrator, details?: () => string): () => void {
  const beganMs = performance.now();
  const tick = setInterval(() => {
    const more = details === undefined ? '' : `   ${details()}`;
    say.live(`${inSeconds(performance.now() - beganMs)}${more}`);
  }, TICK_MS);
  return () => {
    clearInterval(tick);
    say.clearLive();
  };
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Stops the command as Ctrl-C does. */
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** null: a signal killed the program, or it could not be started. */
  readonly code: number | null;
  /** How the command ended, as the predicate of a sentence: "exited with code 3". */
  readonly how: string;
  readonly stdout: string;
  /** stdout and stderr together, in the order of arrival. */
  readonly output: string;
  readonly tookMs: number;
}

/** Milliseconds; a command of the demonstration that takes longer has failed. */
const PATIENCE_MS = 90_000;
/** Milliseconds between SIGINT and SIGKILL. */
const GRACE_MS = 10_000;
const OUTPUT_CHARACTERS_MAX = 1_048_576;

/**
 * Runs one command of the demonstration: this program, started as a user would start it. Never rejects: if the program
 * cannot be started, the exit code is null.
 */
async function runCommand(
  args: readonly string[],
  { cwd, env, signal }: CommandOptions,
): Promise<CommandEnd> {
  const startedMs = performance.now();
  // In a separate process group, which Ctrl-C of the terminal does not reach. This process forwards the signal once,
  // and not to cleanup commands.
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text).slice(-OUTPUT_CHARACTERS_MAX);
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
  });
  const interrupt = (): void => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  const late = setTimeout(interrupt, PATIENCE_MS);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  const ended = await new Promise<Pick<CommandEnd, 'code' | 'how'>>((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve({ code: null, how: 'could not be started' });
    });
    child.once('close', (code, by) => {
      resolve({ code, how: exitText({ code, signal: by }) });
    });
  });
  clearTimeout(late);
  signal.removeEventListener('abort', interrupt);
  return { ...ended, stdout, output, tookMs: performance.now() - startedMs };
}
