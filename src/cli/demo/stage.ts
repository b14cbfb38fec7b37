/** Where the acts of the demonstration play: commands are shown, run, watched, and have to end as they should. */
import { spawn } from 'node:child_process';
import process from 'node:process';

import type { DemoWorld } from './demo-world.ts';
import type { Narrator } from './narrator.ts';

export interface Stage {
  readonly say: Narrator;
  readonly world: DemoWorld;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Run {
  /** As shown where it is not the command itself: without options that only this place needs. */
  readonly shown?: string;
  readonly cwd?: string;
  /** Whether this is how it has to end; with 0, if not given. */
  readonly endsWell?: (code: number | null) => boolean;
  /** What else goes on, for the line that lives: "812 orders, 0 failed requests". */
  readonly beside?: () => string;
  /** Of what cleans up: not ended by Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** A command or a wait of the demonstration has gone wrong; what follows would make no sense. */
export class DemoBroken extends Error {}

const TICK_MS = 120;
const POLL_MS = 100;
/** Of what a command said before it ended badly. */
const LINES_TOLD_MAX = 20;

/** Shows a command, runs it, and resolves when it has ended as it should. Rejects with DemoBroken. */
export async function run(
  stage: Stage,
  args: readonly string[],
  options: Run = {},
): Promise<CommandEnd> {
  stage.say.command(options.shown ?? `lifehook ${args.join(' ')}`);
  return ask(stage, args, options);
}

/** The same, without showing it: what the demonstration itself wants to know. */
export async function ask(
  { say, world, signal }: Stage,
  args: readonly string[],
  options: Run = {},
): Promise<CommandEnd> {
  const shown = options.shown ?? `lifehook ${args.join(' ')}`;
  const stopTelling = tellProgress(say, options.beside);
  const end = await runCommand(args, {
    cwd: options.cwd ?? world.folder,
    env: world.env,
    signal: options.signal ?? signal,
  });
  stopTelling();
  const endsWell = options.endsWell ?? ((code): boolean => code === 0);
  if (endsWell(end.code)) return end;
  if (options.signal === undefined) signal.throwIfAborted();
  const told = end.output.trimEnd().split('\n').slice(-LINES_TOLD_MAX);
  say.claim(`${shown} ends well`, false, `it ended with ${end.code ?? 'a signal'}, and said`);
  for (const line of told) say.fact(`| ${line}`);
  throw new DemoBroken(shown);
}

/** Asks again until there is an answer. Rejects with DemoBroken when there is none in time. */
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

/** "1.4 s" */
export function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function tellProgress(say: Narrator, beside?: () => string): () => void {
  const beganMs = performance.now();
  const tick = setInterval(() => {
    const more = beside === undefined ? '' : `   ${beside()}`;
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
  /** Ends it as Ctrl-C does. */
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** null: it was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  /** Of both streams, as it came. */
  readonly output: string;
  readonly tookMs: number;
}

/** A command of the demonstration that takes longer has gone wrong. */
const PATIENCE_MS = 90_000;
/** Between Ctrl-C and KILL. */
const GRACE_MS = 10_000;
const OUTPUT_CHARACTERS_MAX = 1_048_576;

/**
 * One command of the demonstration: this very program, started as a user would start it.
 * Never rejects: a program that cannot be started has an end without a code.
 */
async function runCommand(
  args: readonly string[],
  { cwd, env, signal }: CommandOptions,
): Promise<CommandEnd> {
  const startedMs = performance.now();
  // In a group of its own: a Ctrl-C of the terminal reaches it once, from us, and not what cleans up.
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
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(null);
    });
    child.once('close', resolve);
  });
  clearTimeout(late);
  signal.removeEventListener('abort', interrupt);
  return { code, stdout, output, tookMs: performance.now() - startedMs };
}
